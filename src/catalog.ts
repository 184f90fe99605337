import { unknownEnvironment } from './core/errors.ts';
import type { StateEnvironment } from './core/contracts.ts';
import type { JsonObject } from './core/json.ts';
import { mailFamily } from './envs/apps/mail/family.ts';
import { shopFamily } from './envs/apps/shop/family.ts';
import { trackerFamily } from './envs/apps/tracker/family.ts';
import { artefactFamily } from './envs/artefacts/family.ts';
import { codeFamily } from './envs/code/family.ts';
import { harborFamily } from './envs/harbor/family.ts';
import { loongFamily } from './envs/loong/family.ts';
import { mazeFamily } from './envs/mazes/family.ts';
import { mcpFamily } from './envs/mcp/family.ts';
import { problemFamily, racesFamily } from './envs/problems/family.ts';
import { releaseFamily } from './envs/releases/family.ts';
import { repositoryFamily } from './envs/repository/family.ts';
import { retrievalFamily } from './envs/retrieval/family.ts';
import { specificationFamily } from './envs/specifications/family.ts';
import { sqlFamily } from './envs/sql/family.ts';
import { synthFamily } from './envs/synth/family.ts';
import { teamFamily } from './envs/teams/family.ts';
import { terminalFamily } from './envs/terminal/family.ts';
import { toolsFamily } from './envs/tools/family.ts';
import { userFamily } from './envs/users/family.ts';
import { appFamily } from './envs/web/sites/app/family.ts';
import { miniwobFamily } from './envs/web/sites/miniwob/family.ts';
import type { PageFamily } from './envs/web/sites/page-family.ts';
import { urlFamily } from './envs/web/sites/url/family.ts';
import { waiFamily } from './envs/web/sites/wai/family.ts';
import { forgeFamily } from './forge/family.ts';
import { threatFamily } from './forge/threats/family.ts';
import type { App } from './worlds/app/app.ts';
import { createWorld } from './worlds/world.ts';
import type { AppFamily, Family } from './worlds/family.ts';

/** Every family of environments that comes with Espalier. Each loads what it needs when it opens one. */
export const families: readonly (Family | PageFamily)[] = [
  mailFamily,
  shopFamily,
  trackerFamily,
  forgeFamily,
  threatFamily,
  userFamily,
  synthFamily,
  problemFamily,
  racesFamily,
  codeFamily,
  terminalFamily,
  repositoryFamily,
  sqlFamily,
  loongFamily,
  specificationFamily,
  retrievalFamily,
  teamFamily,
  mazeFamily,
  artefactFamily,
  toolsFamily,
  waiFamily,
  miniwobFamily,
  urlFamily,
  appFamily,
  mcpFamily,
  harborFamily,
  releaseFamily,
];

export interface EnvironmentEntry {
  readonly id: string;
  readonly about: string;
  /** The definition, for what takes it apart: variation, admission. */
  app(): Promise<App<JsonObject>>;
  load(): Promise<StateEnvironment>;
}

/** The built-in apps. Nothing is loaded before it is asked for. */
export const environments: readonly EnvironmentEntry[] = [mailFamily, shopFamily, trackerFamily].map(builtIn);

/** A built-in app by its id. */
export async function openBuiltIn(id: string): Promise<StateEnvironment> {
  const entry = environments.find(known => known.id === id);
  if (entry !== undefined) return entry.load();
  throw unknownEnvironment(
    `There is no built-in environment "${id}".`,
    `Expected one of: ${environments.map(known => known.id).join(', ')}.`,
  );
}

function builtIn({ name, about, open }: AppFamily): EnvironmentEntry {
  const app = async (): Promise<App<JsonObject>> => (await open()).app;
  return { id: name, about, app, load: async () => createWorld(await app()) };
}
