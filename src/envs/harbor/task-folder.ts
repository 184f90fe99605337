import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { causeText, EspalierError, unknownEnvironment } from '../../core/errors.ts';
import { harborConfigSchema, type HarborConfig } from './task-config.ts';
import { otherServices, readTerminalBenchTask, terminalBenchName } from './terminal-bench.ts';
import { parseToml } from './toml.ts';

/** A task folder of Harbor, and what is wrong with it. */
export interface HarborTask {
  /** The name of the folder. */
  readonly name: string;
  readonly folder: string;
  /** Whose format it is: that of Harbor, or the older one of terminal-bench. */
  readonly layout: 'harbor' | 'terminal-bench';
  /** Where the Dockerfile and its context lie; null when there is none that can be built. */
  readonly build: { readonly folder: string; readonly dockerfile: string } | null;
  /** Why nothing is built. */
  readonly unbuildable: string | null;
  /** `task.toml`; null when it cannot be used. */
  readonly config: HarborConfig | null;
  /** What the agent is told. Of a task with steps, the instruction of the first. */
  readonly instruction: string;
  /** What Harbor would refuse. */
  readonly problems: readonly string[];
  /** What Harbor accepts, and yet is missing. */
  readonly remarks: readonly string[];
}

const configName = 'task.toml';

/** The tasks of a folder: itself if it is one, else its folders that are. */
export function readHarborTasks(folder: string): HarborTask[] {
  const root = resolve(folder);
  if (!isFolder(root)) throw noTasks(`${folder} is no folder.`);
  const own = readTask(root);
  if (own !== null) return [own];
  const tasks = readdirSync(root)
    .toSorted()
    .flatMap(name => readTask(join(root, name)) ?? []);
  if (tasks.length === 0)
    throw noTasks(`${folder} has neither ${configName} nor ${terminalBenchName}, and none of its folders has.`);
  return tasks;
}

function readTask(folder: string): HarborTask | null {
  if (existsSync(join(folder, configName))) return readHarborTask(folder);
  return existsSync(join(folder, terminalBenchName)) ? readOlderTask(folder) : null;
}

function readOlderTask(folder: string): HarborTask {
  const { instruction, problems, agentSeconds, testSeconds } = readTerminalBenchTask(folder);
  const timeout = (seconds: number | undefined) => (seconds === undefined ? {} : { timeout_sec: seconds });
  const config = harborConfigSchema.parse({ agent: timeout(agentSeconds), verifier: timeout(testSeconds) });
  const remarks = existsSync(join(folder, 'solution.sh'))
    ? []
    : ['solution.sh is missing: nothing shows that the task can be solved.'];
  const build = buildOf(folder, folder, null);
  return { name: basename(folder), folder, layout: 'terminal-bench', ...build, config, instruction, problems, remarks };
}

function buildOf(folder: string, context: string, steps: string | null): Pick<HarborTask, 'build' | 'unbuildable'> {
  const composed = composeNames.map(name => join(context, name)).find(path => existsSync(path));
  const others = composed === undefined ? [] : otherServices(composed);
  const dockerfile = join(context, 'Dockerfile');
  const unbuildable =
    steps ??
    (others.length > 0
      ? `${relative(folder, composed ?? '')}: needs other containers: ${others.join(', ')}`
      : existsSync(dockerfile)
        ? null
        : 'there is no Dockerfile: images are not fetched');
  return { build: unbuildable === null ? { folder: context, dockerfile } : null, unbuildable };
}

const composeNames = ['docker-compose.yaml', 'docker-compose.yml'];

function readHarborTask(folder: string): HarborTask {
  const { config, problems } = readConfig(folder);
  const remarks: string[] = [];
  let instruction = '';
  if (config !== null) {
    const steps = config.steps ?? [];
    const parts = steps.length === 0 ? [''] : steps.map(({ name }) => join('steps', name));
    for (const part of parts) {
      const told = readInstruction(folder, join(part, 'instruction.md'), problems);
      if (instruction === '') instruction = told;
    }
    checkEnvironment(folder, config, problems);
    checkTests(folder, config, { parts, problems });
    checkSolution(folder, config, { parts, remarks });
    for (const place of ['tests', 'solution', 'steps']) checkLinks(folder, place, problems);
  }
  const steps = (config?.steps ?? []).length > 0 ? 'task.toml: tasks with steps are not run' : null;
  const build = buildOf(folder, join(folder, 'environment'), steps);
  return { name: basename(folder), folder, layout: 'harbor', ...build, config, instruction, problems, remarks };
}

function readConfig(folder: string): { config: HarborConfig | null; problems: string[] } {
  let toml: unknown;
  try {
    toml = parseToml(readFileSync(join(folder, configName), 'utf8'), configName);
  } catch (cause) {
    const expected = cause instanceof EspalierError ? ` ${cause.expected}` : '';
    return { config: null, problems: [`${causeText(cause)}${expected}`] };
  }
  const parsed = harborConfigSchema.safeParse(toml);
  if (parsed.success) return { config: parsed.data, problems: [] };
  const problems = parsed.error.issues.map(({ path, message }) => `${configName}: ${path.join('.')}: ${message}.`);
  return { config: null, problems };
}

/** Lines that mark a benchmark against leaking into training data are not shown to agents. */
const canaryLines = /^(?:[ \t]*(?:<!--.*canary.*-->|#.*canary.*)[ \t]*\r?\n)+\s*/i;

function readInstruction(folder: string, name: string, problems: string[]): string {
  const path = join(folder, name);
  if (!existsSync(path)) {
    problems.push(`${name} is missing: it tells the agent what to do.`);
    return '';
  }
  const text = readFileSync(path, 'utf8').replace(canaryLines, '').trim();
  if (text === '') problems.push(`${name} is empty: it tells the agent what to do.`);
  return text;
}

const definitions = ['Dockerfile', 'docker-compose.yaml', 'docker-compose.yml', 'singularity-compose.yaml'];

function checkEnvironment(folder: string, { environment }: HarborConfig, problems: string[]): void {
  if (environment?.docker_image !== undefined) return;
  if (!isFolder(join(folder, 'environment')))
    problems.push('environment/ is missing, and [environment] names no docker_image.');
  else if (!definitions.some(name => existsSync(join(folder, 'environment', name))))
    problems.push(`environment/ has none of ${definitions.join(', ')}, and [environment] names no docker_image.`);
}

function checkTests(
  folder: string,
  config: HarborConfig,
  { parts, problems }: { readonly parts: readonly string[]; readonly problems: string[] },
): void {
  const script = `test.${scriptEnding(config)}`;
  const hasShared = existsSync(join(folder, 'tests', script));
  for (const part of parts) {
    const own = join(part, 'tests', script);
    if (!hasShared && !existsSync(join(folder, own))) problems.push(`${own} is missing: it verifies the task.`);
  }
}

function checkSolution(
  folder: string,
  config: HarborConfig,
  { parts, remarks }: { readonly parts: readonly string[]; readonly remarks: string[] },
): void {
  const script = `solve.${scriptEnding(config)}`;
  const missing = parts.map(part => join(part, 'solution', script)).filter(name => !existsSync(join(folder, name)));
  for (const name of missing) remarks.push(`${name} is missing: nothing shows that the task can be solved.`);
}

function scriptEnding({ environment }: HarborConfig): string {
  return environment?.os === 'windows' ? 'bat' : 'sh';
}

/** Files that are copied into containers must be files of the task. */
function checkLinks(folder: string, place: string, problems: string[]): void {
  const root = realpathSync(folder);
  if (!isFolder(join(folder, place))) return;
  for (const entry of readdirSync(join(folder, place), { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = existsSync(path) ? realpathSync(path) : null;
    if (target?.startsWith(root + sep)) continue;
    problems.push(`${relative(folder, path)} is a link that leads out of the task.`);
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function noTasks(message: string): EspalierError {
  return unknownEnvironment(
    message,
    'Expected a task folder of Harbor (task.toml, instruction.md, environment/, tests/), or a folder of such.',
  );
}
