import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { invalidOption } from '../core/errors.ts';
import { poisonGate } from '../memory/gate.ts';
import { createMemory, readMemory, type EpisodeUse, type Memory } from '../memory/memory.ts';
import type { Practice } from '../memory/practice.ts';
import { createRememberingPolicy } from '../memory/reading/remembering-policy.ts';
import { askForItems, type AskedModel } from '../memory/writers/ask-model.ts';
import { experienceOf, isLearnable, type Experience, type MemoryMethod } from '../memory/writers/writer.ts';
import { isModulePath } from '../modules/load-module.ts';
import { runProgramOfMemory } from './agents/students/remembering.ts';
import { openWorlds } from './environments/worlds.ts';
import { allConfigs, closeAfter, openRun, writeWhole } from './folder/folder.ts';
import { openTrialStudent } from './forging/student-trials.ts';
import type { Host } from './host/host.ts';
import { createPractice } from './memory-practice.ts';
import { loadPlugin } from './registry/load-plugin.ts';
import { withModels } from './models/spending.ts';
import { memories } from './registry/memories.ts';
import { spendingSchema, type ModelConfig, type SpendingConfig } from './settings/model-config.ts';
import type { ModuleShape } from '../core/naming/registry.ts';

export interface RememberOptions {
  readonly folders: readonly string[];
  /** Names of memories, or paths of modules; all that can be written when left out. */
  readonly memories?: readonly string[] | undefined;
  /** The file of the memory; what it has stays. */
  readonly out: string;
  /** Whom memories that try their candidates practise with: a file of `espalier train`, or `small`. */
  readonly student?: string | undefined;
  /** A model that says what to keep and adds to it; programs alone do when left out. */
  readonly model?: ModelConfig | undefined;
  readonly spending?: SpendingConfig | undefined;
  /** Tasks of a practice. */
  readonly practice: number;
  readonly host: Host;
}

export interface Remembered {
  readonly memory: Memory;
  /** Episodes that were read, and those that nothing may be learned from: held-out tasks and evaluations. */
  readonly episodes: number;
  readonly leftOut: number;
  /** Episodes that used the memory, and were counted now. */
  readonly counted: number;
  /** Items that are new, that went, and that were retired now. */
  readonly added: number;
  readonly retired: number;
  readonly refused: number;
  /** Names of memories that were not written because no student practised. */
  readonly unpractised: readonly string[];
}

/** Writes what runs have shown into a memory. Held-out tasks and evaluations are left out. */
export async function rememberRuns(options: RememberOptions): Promise<Remembered> {
  const { model: config, spending = spendingSchema.parse({}), folders, host } = options;
  if (config === undefined) return writeRuns(options, null);
  return withModels({ spending, folder: folders[0] as string, host }, async ({ models, hurry: signal }) => {
    const { model } = await models.open(config, 'policy');
    return writeRuns(options, { model, name: config.model, signal });
  });
}

async function writeRuns(options: RememberOptions, asked: AskedModel | null): Promise<Remembered> {
  const { folders, out, student } = options;
  const methods = await methodsNamed(options);
  const before = existsSync(out) ? readMemory(readFileSync(out, 'utf8')) : createMemory();
  const records = folders.flatMap(recordsIn);
  const learnable = records.filter(isLearnable).map(experienceOf);
  const uses = learnable.flatMap(useIn);
  let memory = before.count(uses);
  const isCounted = memory.version > before.version;
  const retired = (given: Memory): number => given.items.filter(item => item.retired !== null).length;
  const retiredNow = retired(memory) - retired(before);
  const open = methods.filter(({ practise }) => practise === undefined || student !== undefined);
  const practising = open.some(({ practise }) => practise !== undefined)
    ? await openPractice(options, learnable)
    : null;
  try {
    for (const method of open)
      memory = await writtenBy(method, { memory, learnable, asked, practice: practising?.practice });
  } finally {
    await practising?.close();
  }
  memory = memory.numbered(before.version + 1);
  writeWhole(out, memory.save());
  return {
    memory,
    episodes: records.length,
    leftOut: records.length - learnable.length,
    counted: isCounted ? uses.length : 0,
    added: memory.items.filter(({ id }) => !before.items.some(item => item.id === id)).length,
    retired: retiredNow,
    refused: memory.refused.length - before.refused.length,
    unpractised: methods.filter(method => !open.includes(method)).map(({ name }) => name),
  };
}

interface Writing {
  readonly memory: Memory;
  readonly learnable: readonly Experience[];
  readonly practice: Practice | undefined;
  readonly asked: AskedModel | null;
}

async function writtenBy(
  method: MemoryMethod,
  { memory: before, learnable, practice, asked }: Writing,
): Promise<Memory> {
  const { gate: own, practise } = method;
  const { items: candidates, refused } =
    asked === null ? { items: method.write(learnable), refused: [] } : await askForItems(method, learnable, asked);
  const memory = refused.length === 0 ? before : before.keep(new Set(before.items.map(({ id }) => id)), refused);
  const gate = (candidate: (typeof candidates)[number]): string | null =>
    poisonGate(candidate) ?? own?.(candidate) ?? null;
  if (practise === undefined || practice === undefined) return memory.write(candidates, gate);
  return practise({ before: memory, candidates, gate, practice });
}

async function methodsNamed({ memories: names, student }: RememberOptions): Promise<MemoryMethod[]> {
  const found: MemoryMethod[] = [];
  for (const name of names ?? memories.names) {
    const method = isModulePath(name)
      ? (await loadPlugin<MemoryMethod>(resolve(name), memories.module as ModuleShape)).create()
      : memories.need(name);
    if (names !== undefined && method.practise !== undefined && student === undefined)
      throw invalidOption(
        `The memory ${method.name} keeps only what helps a student on practice tasks, and there is no student.`,
        'Name one with --student: a file that espalier train wrote, or small.',
      );
    found.push(method);
  }
  return found;
}

/** What an episode says of the items that it used; nothing where it had no memory. */
function useIn({ head, tree, end }: EpisodeRecord): EpisodeUse[] {
  if (end.outcome !== 'passed' && end.outcome !== 'failed') return [];
  const marks = tree.path(end.leaf).flatMap(({ memory }) => memory ?? []);
  if (marks.length === 0) return [];
  const [used, broken] = [new Set(marks.flatMap(mark => mark.used)), new Set(marks.flatMap(mark => mark.broken))];
  return [{ episode: `${head.run}/${head.key}`, used, broken, passed: end.outcome === 'passed' }];
}

async function openPractice(
  { folders, student, practice: tasks, host }: RememberOptions,
  learnable: readonly EpisodeRecord[],
): Promise<{ readonly practice: Practice; close(): Promise<void> }> {
  const names = [...new Set(folders.flatMap(folder => allConfigs(folder).flatMap(({ environments }) => environments)))];
  const { worlds, close } = await openWorlds(names, { stateful: false, browser: null, concurrency: 1, host });
  try {
    const makeStudent = await openTrialStudent(student as string);
    const practice = await createPractice({
      worlds,
      templates: new Set(learnable.map(({ head: { task } }) => `${task.environment}/${task.template}`)),
      written: new Set(learnable.map(({ head }) => head.task.id)),
      tasks,
      host,
      studentWith: memory =>
        createRememberingPolicy({ policy: makeStudent(), memory, tells: false, run: runProgramOfMemory }),
    });
    return { practice, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

function recordsIn(folder: string): EpisodeRecord[] {
  const store = openRun(folder);
  try {
    return [...store.episodes()].map(foldEpisode);
  } finally {
    closeAfter(store);
  }
}
