import { existsSync } from 'node:fs';
import { EspalierError } from '../../core/errors.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

/** A figure, as `espalier bench` prints it. */
interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly spread: number;
  readonly runs: number;
}

interface BenchOrder {
  readonly names: readonly string[];
  readonly options: object;
  readonly news: { progress(text: string): void; line(text: string): void };
  onResult(figure: Figure): void;
}

/** The programs that lie beside the package, as the verbs use them. Their types stay out: they would be built with it. */
export interface ProgramsBeside {
  readonly bench: {
    readonly benchGroups: readonly string[];
    readonly benchNames: readonly string[];
    readonly certifyFeatures: readonly string[];
    opensPages(names: readonly string[]): boolean;
    runBenches(order: BenchOrder): Promise<void>;
  };
  readonly demo: { demo(output: Output, request: object): Promise<ExitCode> };
  readonly 'study fleet': { studyFleet(output: Output, request: object): Promise<ExitCode> };
  readonly 'study harness': { studyHarness(output: Output, request: object): Promise<ExitCode> };
  readonly 'study loops': { studyLoops(output: Output, request: object): Promise<ExitCode> };
  readonly 'study memory': { studyMemory(output: Output, request: object): Promise<ExitCode> };
  readonly 'study meta': { studyMeta(output: Output, request: object): Promise<ExitCode> };
  readonly 'study races': { races(output: Output, request: object): Promise<ExitCode> };
  readonly 'study rl': { study(output: Output, request: object): Promise<ExitCode> };
  readonly 'study strategies': { studyStrategies(output: Output, request: object): Promise<ExitCode> };
  readonly 'study tuning': { studyTuning(output: Output, request: object): Promise<ExitCode> };
  readonly 'study wai': { studySearch(output: Output, request: object): Promise<ExitCode> };
}

export const placesBeside: Readonly<Record<keyof ProgramsBeside, string>> = {
  bench: 'bench/run.ts',
  demo: 'studies/demo/demo.ts',
  'study fleet': 'studies/fleet/study-fleet.ts',
  'study harness': 'studies/harness/study-harness.ts',
  'study loops': 'studies/loops/study-loops.ts',
  'study memory': 'studies/memory/study-memory.ts',
  'study meta': 'studies/meta/study-meta.ts',
  'study races': 'studies/races/study-races.ts',
  'study rl': 'studies/rl/study-rl.ts',
  'study strategies': 'studies/strategies/study-strategies.ts',
  'study tuning': 'studies/tuning/study-tuning.ts',
  'study wai': 'studies/search/study-search.ts',
};

/** Loads the program of a verb that comes with the sources only. The compiler does not follow a computed address. */
export async function loadBeside<K extends keyof ProgramsBeside>(verb: K): Promise<ProgramsBeside[K]> {
  const file = new URL(`../../../${placesBeside[verb]}`, import.meta.url);
  if (existsSync(file)) return (await import(file.href)) as ProgramsBeside[K];
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `\`espalier ${verb}\` comes with the sources of Espalier, not with the package.`,
    expected: `Get the sources, run \`npm run setup\` in their folder, and then \`npx espalier ${verb}\` there.`,
  });
}
