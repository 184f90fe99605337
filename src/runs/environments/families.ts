import type { Environment } from '../../core/contracts.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../kernel/app.ts';
import type { Host } from '../host.ts';
import { absoluteMcpName, openMcp } from './open-mcp.ts';
import { absoluteSiteName, openSite, readSiteName, type SiteName } from './sites.ts';
import { absoluteSynthName, openSynth } from './synth-app.ts';
import type { Web } from './web.ts';

export interface FamilyOptions {
  readonly host: Host;
  /** The browser, for those who need one. */
  browser(): Web;
}

/** Environments that other people serve, named by a prefix and where they are. Their state is not at hand. */
export interface EnvironmentFamily extends Entry {
  /** The prefix: `wai:`. */
  readonly name: string;
  readonly usage: string;
  /** Whether agents have its tools alone, and no screen. */
  readonly toolsOnly: boolean;
  /** The same name, whatever folder it is read in. */
  absolute(name: string): string;
  open(name: string, options: FamilyOptions): Promise<Environment>;
}

/** Pages in a browser. */
function pages(entry: Pick<EnvironmentFamily, 'name' | 'usage' | 'about'>): EnvironmentFamily {
  return {
    ...entry,
    toolsOnly: false,
    absolute: name => absoluteSiteName(name) ?? name,
    open: (name, { browser }) => openSite(readSiteName(name) as SiteName, browser()),
  };
}

/** Adding one is a line here, and the file that opens it. */
export const families: readonly EnvironmentFamily[] = [
  pages({ name: 'wai:', usage: 'wai:<folder>', about: 'An app folder of WebArena-Infinity, with its verifiers.' }),
  pages({ name: 'miniwob:', usage: 'miniwob:<folder>', about: 'The pages of MiniWoB++.' }),
  pages({ name: 'page:', usage: 'page:<url>', about: 'Any page by its address, with a module of your tasks.' }),
  {
    name: 'mcp:',
    usage: 'mcp:<server>,<tasks>',
    about: 'The tools of an MCP server, with a module of your tasks.',
    toolsOnly: true,
    absolute: name => absoluteMcpName(name) ?? name,
    open: async (name, { host }) => (await openMcp(name, host.timers)) as Environment,
  },
];

/** Apps that are made when they are named, by a prefix and what they are made from. Their state is at hand. */
export interface AppFamily extends Entry {
  /** The prefix: `synth:`. */
  readonly name: string;
  readonly usage: string;
  /** The same name, whatever folder it is read in. */
  absolute(name: string): string;
  app(name: string): Promise<App<JsonObject>>;
}

/** Adding one is an entry here, and the file that makes the app. */
export const appFamilies: readonly AppFamily[] = [
  {
    name: 'synth:',
    usage: 'synth:<seed or spec.json>',
    about: 'A made-up app by its seed, or by a spec of your own.',
    absolute: absoluteSynthName,
    app: openSynth,
  },
];

export function appFamilyOf(name: string): AppFamily | undefined {
  return appFamilies.find(family => name.startsWith(family.name));
}

/** The family that a name belongs to; undefined for apps and modules, whose state is at hand. */
export function familyOf(name: string): EnvironmentFamily | undefined {
  return families.find(family => name.startsWith(family.name));
}

/** `wai:<folder>, miniwob:<folder>, …`. */
export function familyUsages(): string {
  return [...appFamilies, ...families].map(({ usage }) => usage).join(', ');
}
