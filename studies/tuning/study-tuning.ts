import { existsSync, mkdirSync, mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from '../../src/core/random.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { keepOptions } from '../../src/runs/folder/begun-options.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { describeMachine } from '../../src/system/about.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { arms, type Advice } from './arms.ts';
import { createLoadedServer, type LoadedServer } from './loaded-server.ts';
import { knobs } from './knobs.ts';
import { SkillRefused, type Bench, type ServerKnob } from './skills/skill.ts';
import { isInitial, knobsOf } from './skills/version-check.ts';
import { settingTable, tuningTable } from './tuning-table.ts';
import { findVersions } from './versions.ts';
import { workloads, type Workload } from './workloads.ts';

interface TuningRequest {
  readonly out: string;
  /** Folders of the programs of further versions. */
  readonly environments: readonly string[];
  readonly seeds: number;
  readonly rounds?: number;
  readonly json?: boolean;
}

/** One version under one workload, for one seed of the searches. */
export interface TuningCell {
  readonly version: string;
  readonly workload: string;
  readonly seed: number;
  /** Measurements that each arm that searches had. */
  readonly budget: number;
  readonly advice: Readonly<Record<string, Advice>>;
  /** Transactions a second in every round, by arm; null where the server does not start. */
  readonly rates: Readonly<Record<string, readonly (number | null)[]>>;
  /** Of the machine when it began and when it ended. */
  readonly load: readonly [number, number];
}

export interface TuningStudy {
  readonly machine: string;
  readonly seconds: number;
  readonly cells: readonly TuningCell[];
}

/** Seconds of one measurement. */
const measureSeconds = 1;
/** Rounds in which every arm is measured once, in an order of its own. */
const usualRounds = 6;

/** Sets the knobs of real servers in several ways, and measures all of them in turns. */
export async function studyTuning(output: Output, request: TuningRequest): Promise<ExitCode> {
  const { out, seeds, rounds = usualRounds } = request;
  const versions = findVersions(request.environments);
  const own = { versions: versions.map(({ version }) => version), rounds, seconds: measureSeconds };
  keepOptions(own, { folder: out, path: join(out, 'study.json'), what: 'study of tuning' });
  const cells: TuningCell[] = [];
  const ended = await stoppable(
    output,
    async ({ signal }) => {
      for (const version of versions) {
        const folder = mkdtempSync(join(tmpdir(), 'espalier-tuning-'));
        chmodSync(folder, 0o755);
        try {
          let server: LoadedServer | null = null;
          for (let seed = 1; seed <= seeds; seed++)
            for (const workload of workloads) {
              const path = join(out, `${version.version}-${workload.name}-${seed}.json`);
              if (!existsSync(path)) {
                if (signal.aborted) return false;
                const data = join(folder, 'data');
                server ??= await createLoadedServer({ ...version, folder: data, seconds: measureSeconds });
                const given = { server, workload, seed, rounds, signal };
                const say = (text: string): void =>
                  output.progress(`Postgres ${version.version}, ${workload.name}: ${text} …`);
                const cell = await runCell(given, say);
                if (cell === null) return false;
                mkdirSync(out, { recursive: true });
                writeWhole(path, `${JSON.stringify({ version: version.version, ...cell }, null, 2)}\n`);
              }
              cells.push(readJson(path) as TuningCell);
            }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }
      return true;
    },
    { beside: [new URL('./', import.meta.url).href] },
  );
  output.progress('');
  const study: TuningStudy = { machine: describeMachine(), seconds: measureSeconds, cells };
  writeWhole(join(out, 'tuning.json'), `${JSON.stringify(study, null, 2)}\n`);
  if (request.json === true) output.json(study);
  else for (const line of [...tuningTable(study), '', ...settingTable(study)]) output.line(line);
  if (ended) return 0;
  output.note('stopped; the same command goes on.');
  return 1;
}

interface CellOptions {
  readonly server: LoadedServer;
  readonly workload: Workload;
  readonly seed: number;
  readonly rounds: number;
  readonly signal: AbortSignal;
}

/** Lets every arm choose, then measures all choices in turns. Null where it was stopped. */
async function runCell(options: CellOptions, say: (text: string) => void): Promise<Omit<TuningCell, 'version'> | null> {
  const { server, workload, seed, rounds, signal } = options;
  const load = (): number => loadavg()[0] ?? 0;
  const begun = load();
  const random = createRandom(`tuning ${workload.name} ${seed}`);
  const catalog = await server.catalog();
  const budget = 1 + valuesToTry(catalog);
  const advice: Record<string, Advice> = {};
  for (const arm of arms) {
    const bench = benchOf({ ...options, catalog, budget }, left => say(`${arm.name}, ${left} measurements left`));
    advice[arm.name] = await arm.advise(bench, { memory: totalmem(), random: random.fork(arm.name) }).catch(refusal);
    if (signal.aborted) return null;
  }
  const rates: Record<string, (number | null)[]> = Object.fromEntries(arms.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const { name } of shuffled(random, round)) {
      const { rate } = await server.measure(workload, advice[name]?.settings ?? {});
      rates[name]?.push(rate);
      if (signal.aborted) return null;
    }
  }
  return { workload: workload.name, seed, budget, advice, rates, load: [begun, load()] };
}

function shuffled(random: Random, round: number): typeof arms {
  return random.fork(`round ${round}`).shuffle(arms);
}

function refusal(cause: unknown): Advice {
  if (cause instanceof SkillRefused) return { settings: {}, refused: [{ name: 'skill', why: cause.message }] };
  throw cause;
}

/** As many measurements as it takes to try every value of every knob by itself. */
function valuesToTry(catalog: ReadonlyMap<string, ServerKnob>): number {
  return knobsOf(catalog, knobs).flatMap(({ name, values }) => values.filter(value => !isInitial(catalog, name, value)))
    .length;
}

interface BenchOptions extends CellOptions {
  readonly catalog: ReadonlyMap<string, ServerKnob>;
  readonly budget: number;
}

function benchOf({ server, workload, catalog, budget, signal }: BenchOptions, say: (left: number) => void): Bench {
  let left = budget;
  const spend = (): void => {
    if (left <= 0) throw new Error('An arm spent more measurements than it has.');
    say(left);
    left--;
  };
  return {
    catalog: () => Promise.resolve(catalog),
    // Whoever stops the study does not wait for the rest of a search.
    left: () => (signal.aborted ? 0 : left),
    async measure(settings) {
      spend();
      return (await server.measure(workload, settings)).rate;
    },
    observe: () => {
      spend();
      return server.observe(workload);
    },
  };
}
