import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OrdinaryPolicy } from '../../src/core/episode/agents.ts';
import type { Task } from '../../src/core/records.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import { readMemory, type Memory } from '../../src/memory/memory.ts';
import { literalsOf } from '../../src/memory/reading/slots.ts';
import { createRememberingPolicy } from '../../src/memory/reading/remembering-policy.ts';
import { isModulePath } from '../../src/modules/load-module.ts';
import { hashModule } from '../../src/modules/module-hash.ts';
import { runProgramOfMemory } from '../../src/runs/agents/students/remembering.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { studentNamed } from '../../src/runs/config/named-agents.ts';
import { closeAfter, openRun, writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { memories } from '../../src/runs/registry/memories.ts';
import { rememberRuns } from '../../src/runs/remember.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { tellArms } from '../strategies/arm-table.ts';
import type { MemoryTable } from './memory-page.ts';
import { runArms, type Arm } from '../strategies/run-arms.ts';
import { folderName, studentsNamed, temperature, type StudyStudents } from '../strategies/study-students.ts';

interface MemoryRequest {
  readonly out: string;
  /** What students are trained on. */
  readonly environments: readonly string[];
  /** What memories are written and evaluated in: students were never there. */
  readonly unseen?: readonly string[];
  /** Names of memories, or paths of modules. */
  readonly arms?: readonly string[];
  readonly seeds: number;
  readonly budgets?: readonly string[];
  readonly students?: readonly string[];
  /** Of each template, in the evaluation. */
  readonly instances?: number;
  readonly json?: boolean;
}

const usual = {
  environments: ['shop', 'tracker', 'synth:1', 'synth:2', 'synth:3', 'synth:4'],
  unseen: ['mail', 'synth:9001', 'synth:9002'],
  students: ['feature'],
  budget: 20,
};
/** Tasks of each training template that the student tries in an unseen app, and tries at each. */
const experience = { instances: 4, trials: 3 };
const practice = 24;
const levels = ['new-instances', 'held-out'] as const;

interface StudySetting {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly output: Output;
}

/**
 * Every memory on the same tasks. A student enters apps that it was not trained on and tries training tasks; each memory is written
 * from these very episodes; then the student does new tasks with each of them, and with none.
 */
export async function studyMemory(output: Output, request: MemoryRequest): Promise<ExitCode> {
  const tables = await stoppable(output, ({ signal }) =>
    runStudy(request, { host: createSystemHost({ workers: 0 }), signal, output }),
  );
  output.progress('');
  if (tables === null) {
    output.note('stopped; the same command goes on.');
    return 1;
  }
  if (request.json === true) output.json(tables);
  else
    for (const { student, level, most, results } of tables)
      tellArms(output, results, `${student}, ${level}, at most ${most} steps, a question each`);
  return 0;
}

export async function runStudy(request: MemoryRequest, setting: StudySetting): Promise<MemoryTable[] | null> {
  const { out, seeds, instances = 4, students: names = usual.students, arms } = request;
  const environments = request.environments.length === 0 ? usual.environments : request.environments;
  const unseen = request.unseen ?? usual.unseen;
  const budgets = (request.budgets ?? [usual.budget]).map(Number);
  const tables: MemoryTable[] = [];
  for (const name of names) {
    const students = await studentsNamed(name, { ...setting, out, environments, seeds });
    if (students === null) return null;
    const written: WritingOptions = { folder: join(out, folderName(name)), students, unseen, seeds, arms };
    const known = await writeMemories(written, setting);
    if (known === null) return null;
    const tried = triedIn(Array.from({ length: seeds }, (_, at) => experienceOf(written.folder, at + 1)));
    for (const level of levels) {
      for (const most of budgets) {
        const results = await runArms({
          folder: join(out, `${folderName(name)}-${level}-${most}`),
          environments: unseen,
          levels: [level],
          instances,
          seeds,
          host: setting.host,
          signal: setting.signal,
          arms: armsOf(known, students, most),
          // A new task may name the same things as one that was tried: it would be remembered, not done.
          takes: task => !(tried.has(wordsOf(task)) && literalsOf(task.instruction).length > 0),
          onProgress: (done, total) => setting.output.progress(`${name}, ${level}: ${done} of ${total} runs`),
        });
        if (results === null) return null;
        if (results.length > 0) tables.push({ student: name, level, most, results });
        writeWhole(join(out, 'memory.json'), `${JSON.stringify(tables, null, 2)}\n`);
      }
    }
  }
  return tables;
}

interface WritingOptions {
  readonly folder: string;
  readonly students: StudyStudents;
  readonly unseen: readonly string[];
  readonly seeds: number;
  readonly arms: readonly string[] | undefined;
}

function experienceOf(folder: string, seed: number): string {
  return join(folder, `experience.${seed}`);
}

/** What the tasks of these runs ask for. */
function triedIn(runs: readonly string[]): ReadonlySet<string> {
  return new Set(
    runs.flatMap(run => {
      const store = openRun(run);
      try {
        return [...store.summaries()].map(({ head }) => wordsOf(head.task));
      } finally {
        closeAfter(store);
      }
    }),
  );
}

function wordsOf({ environment, instruction }: Task): string {
  return `${environment}\n${instruction}`;
}

/** By the name of the arm and the training seed. */
type Written = ReadonlyMap<string, readonly Memory[]>;

/** The student's own episodes on training tasks of the unseen apps, and what each memory keeps of them. */
async function writeMemories(options: WritingOptions, { host, signal, output }: StudySetting): Promise<Written | null> {
  const { folder, students, unseen, seeds, arms = memories.names } = options;
  const found = new Map<string, Memory[]>();
  for (let seed = 1; seed <= seeds; seed++) {
    const run = experienceOf(folder, seed);
    const student = { ...studentNamed(students.nameOf(seed)), temperature };
    const draft = { run: 'experience', environments: [...unseen], ...experience, seed };
    const config = readConfig({ ...draft, student, strategy: { kind: 'linear' } }, 'The study');
    output.progress(`collecting the experience of student ${seed}`);
    const { stopped } = await collectRun({ config, folder: run, host, signal });
    if (stopped) return null;
    for (const arm of new Set(arms)) {
      if (signal.aborted) return null;
      const name = armNamed(arm);
      const out = join(folder, `${name}.${seed}.json`);
      output.progress(`writing ${name} for student ${seed}`);
      if (!existsSync(out))
        await rememberRuns({ folders: [run], memories: [arm], out, student: students.nameOf(seed), practice, host });
      found.set(name, [...(found.get(name) ?? []), readMemory(readFileSync(out, 'utf8'))]);
    }
  }
  return found;
}

/** A module that was changed is another arm: what it wrote before is not taken for it. */
function armNamed(arm: string): string {
  if (!isModulePath(arm)) return arm;
  return `${basename(arm).replace(/\.[cm]?[jt]s$/, '')}-${hashModule(arm).slice(0, 8)}`;
}

function armsOf(written: Written, { policyOf }: StudyStudents, most: number): Arm[] {
  const fixed = { strategy: createLinear(), limits: { taken: most, queries: most } };
  const without: Arm = { ...fixed, name: 'none', policyFor: seed => policyOf(seed, 0) };
  const others = [...written].map(
    ([name, own]): Arm => ({
      ...fixed,
      name,
      policyFor: seed =>
        createRememberingPolicy({
          policy: policyOf(seed, 0) as OrdinaryPolicy,
          memory: own[seed - 1] as Memory,
          tells: false,
          run: runProgramOfMemory,
        }),
    }),
  );
  return [without, ...others];
}
