import type { Environment } from '../../core/contracts.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { Host } from '../host/host.ts';
import { absoluteForgeName, forgeSource } from '../../forge/forged-app.ts';
import { absoluteHarborName, openHarbor } from '../../envs/harbor/family.ts';
import { absoluteMcpName, openMcp } from '../../envs/mcp/family.ts';
import { adrSource } from '../../envs/code/family.ts';
import { absoluteProblemName, problemSource, racesSource } from '../../envs/problems/family.ts';
import { absoluteSiteName, openSite, readSiteName, type SiteName } from '../../envs/web/sites/url/family.ts';
import type { Source } from '../../worlds/family.ts';
import { searchSource } from '../../envs/retrieval/family.ts';
import { specificationSource } from '../../envs/specifications/family.ts';
import { loongSource } from '../../envs/loong/family.ts';
import { sqlSource } from '../../envs/sql/family.ts';
import { teamSource } from '../../envs/teams/family.ts';
import { toolSource } from '../../envs/tools/family.ts';
import { absoluteSynthName, openSynth } from '../../envs/synth/family.ts';
import type { Web } from './web.ts';

interface FamilyOptions {
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
  pages({
    name: 'page:',
    usage: 'page:<url>,<module>',
    about: 'Any page that you serve, with a module of your tasks.',
  }),
  {
    name: 'mcp:',
    usage: 'mcp:<server>,<module>',
    about: 'The tools of an MCP server, with a module of your tasks.',
    toolsOnly: true,
    absolute: name => absoluteMcpName(name) ?? name,
    open: async (name, { host }) => (await openMcp(name, host.timers)) as Environment,
  },
  {
    name: 'harbor:',
    usage: 'harbor:<folder>',
    about: 'Task folders of Harbor: listed and checked; running them needs a terminal world, which is still to come.',
    toolsOnly: true,
    absolute: absoluteHarborName,
    open: async (name, { host }) => openHarbor(name, host),
  },
];

/** Environments that are made in this process, named by a prefix and what they are made from. Their state is at hand. */
export interface MadeFamily extends Entry {
  /** The prefix: `forge:`. */
  readonly name: string;
  readonly usage: string;
  /** A name of the family that works everywhere. */
  readonly example: string;
  /** The same name, whatever folder it is read in; `inner` does that for the name of another environment. */
  absolute(name: string, inner: (name: string) => string): string;
  /** `find` finds another environment by its name. */
  source(name: string, find: (name: string) => Promise<Source>): Promise<Source>;
}

/** Adding one is a line here, and the file that makes it. */
export const madeFamilies: readonly MadeFamily[] = [
  {
    name: 'forge:',
    usage: 'forge:<app>',
    example: 'forge:mail',
    about: 'Tasks forged from the commands of an app, or a folder of forged tasks.',
    absolute: absoluteForgeName,
    source: forgeSource,
  },
  {
    name: 'synth:',
    usage: 'synth:<seed or spec.json>',
    example: 'synth:7',
    about: 'A made-up app by its seed, or by a spec of your own.',
    absolute: absoluteSynthName,
    source: async name => ({ app: await openSynth(name) }),
  },
  {
    name: 'problem:',
    usage: 'problem:<name, subject or all>',
    example: 'problem:gcd',
    about: 'Questions with one right answer, drawn by seed and checked by an oracle.',
    absolute: absoluteProblemName,
    source: problemSource,
  },
  {
    name: 'races:',
    usage: 'races:<composition>',
    example: 'races:SEQUENTIAL(gcd,prime-factors)',
    about: 'Compositions of problems, such as SEQUENTIAL(gcd,prime-factors), or depth=3,count=100,seed=7.',
    absolute: name => name,
    source: racesSource,
  },
  {
    name: 'adr:',
    usage: 'adr:<atoms or all>',
    example: 'adr:all',
    about: 'Programming tasks put together from atoms, checked by running programs in a sandbox.',
    absolute: name => name,
    source: adrSource,
  },
  {
    name: 'sql:',
    usage: 'sql:repair',
    example: 'sql:repair',
    about: 'Broken queries to repair, verified on hidden data in a sandbox.',
    absolute: name => name,
    source: sqlSource,
  },
  {
    name: 'loong:',
    usage: 'loong:<domain or all>',
    example: 'loong:all',
    about: 'Questions with code and answer: programs of agents run in a sandbox, and what they print is compared.',
    absolute: name => name,
    source: loongSource,
  },
  {
    name: 'spec:',
    usage: 'spec:<level or all>',
    example: 'spec:all',
    about: 'Specifications to write: programs that tell right outputs of a function from wrong ones.',
    absolute: name => name,
    source: specificationSource,
  },
  {
    name: 'search:',
    usage: 'search:<seed>',
    example: 'search:7',
    about: 'A made-up library with a search engine, and questions over several of its documents.',
    absolute: name => name,
    source: searchSource,
  },
  {
    name: 'team:',
    usage: 'team:einstein',
    example: 'team:einstein',
    about: 'Puzzles for two agents: each has clues of its own, and they talk by turns.',
    absolute: name => name,
    source: teamSource,
  },
  {
    name: 'tools:',
    usage: 'tools:<seed>',
    example: 'tools:7',
    about: 'A made-up graph of tools: tasks need chains of calls, by calls, a program, a plan or forms on a screen.',
    absolute: name => name,
    source: toolSource,
  },
];

/** The family that a name belongs to, of those made here; undefined for all others. */
export function madeFamilyOf(name: string): MadeFamily | undefined {
  return madeFamilies.find(family => name.startsWith(family.name));
}

/** The family that a name belongs to; undefined for built-in environments and modules. */
export function familyOf(name: string): EnvironmentFamily | undefined {
  return families.find(family => name.startsWith(family.name));
}

/** `wai:<folder>, miniwob:<folder>, …, forge:<app>`. */
export function familyUsages(): string {
  return [...families, ...madeFamilies].map(({ usage }) => usage).join(', ');
}
