import { availableParallelism } from 'node:os';
import { causeText } from '../../core/errors.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import { count } from '../../core/text.ts';
import { openFoundTasks, type FoundTasks } from '../../envs/repository/found-tasks.ts';
import type { Commit } from '../../envs/repository/history.ts';
import { mineCommit, type Found } from '../../envs/repository/mine.ts';
import { openProject, openSandboxes, type Project } from '../../envs/repository/project.ts';
import { mark } from '../terminal/describe.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import type { CheckRequest } from './hold-laws.ts';

const shownId = 10;

/** Finds which of the newest commits of a repository are tasks, keeps them, and says why the others are none. */
export async function checkRepository(output: Output, request: CheckRequest, folder: string): Promise<ExitCode> {
  const { json = false, commits: most } = request;
  const project = openProject(folder);
  const kept = openFoundTasks(project);
  const commits = project.history.commits(most);
  const all: Told[] = commits.flatMap(commit => {
    const found = kept.read(commit.id);
    return found === null ? [] : [{ commit, found }];
  });
  if (all.length > 0) output.note(`${count(all.length, 'commit')} of ${commits.length} looked at before.`);
  for (const each of all) tell(output, each, json);
  const known = new Set(all.map(({ commit }) => commit.id));
  const left = commits.filter(({ id }) => !known.has(id));
  all.push(...(await mineAll(output, { project, kept, commits: left, onFound: each => tell(output, each, json) })));
  const tasks = all.filter(({ found }) => found.task !== null);
  if (!json)
    tellTable(
      output,
      all.map(({ found }) => found),
    );
  return tasks.length > 0 ? 0 : 1;
}

interface Told {
  readonly commit: Commit;
  readonly found: Found;
}

interface Mining {
  readonly project: Project;
  readonly kept: FoundTasks;
  readonly commits: readonly Commit[];
  /** Told of each when it ends: it is kept by then. */
  onFound(told: Told): void;
}

async function mineAll(output: Output, { project, kept, commits, onFound }: Mining): Promise<Told[]> {
  if (commits.length === 0) return [];
  const sandboxes = await openSandboxes(project);
  const inTurn = createSemaphore(availableParallelism()).run;
  let done = 0;
  try {
    return await Promise.all(
      commits.map(commit =>
        inTurn(async () => {
          const found: Found & { readonly isBroken?: true } = await mineCommit(project, commit, sandboxes).catch(
            (cause: unknown) => broken(commit, cause),
          );
          if (found.isBroken !== true) kept.keep(found);
          onFound({ commit, found });
          output.progress(`looked at ${++done} of ${count(commits.length, 'commit')} …`);
          return { commit, found };
        }),
      ),
    );
  } finally {
    await sandboxes.close();
  }
}

/** What breaks here may work elsewhere, or later: it is told, and not kept. */
function broken({ id }: Commit, cause: unknown): Found & { readonly isBroken: true } {
  return { commit: id, reason: `it could not be tried: ${causeText(cause)}`, task: null, isBroken: true };
}

function tell(output: Output, { commit, found: { task, reason } }: Told, json: boolean): void {
  if (json) {
    output.json({
      kind: 'commit',
      commit: commit.id,
      subject: commit.subject,
      reason,
      pass: task !== null,
      ...(task === null ? {} : numbersOf(task)),
    });
    return;
  }
  const { paint } = output;
  const id = commit.id.slice(0, shownId);
  if (task === null) return output.line(`  ${paint.dim(`– ${id} ${commit.subject}: ${reason ?? ''}`)}`);
  const { failToPass, passToPass, steps } = numbersOf(task);
  output.line(
    `  ${mark(true, paint)} ${id} ${commit.subject}  ${paint.dim(`${count(steps, 'step')}, ${failToPass} tests gained, ${passToPass} kept`)}`,
  );
}

function numbersOf({ groups, oracle, mutantsFailed, mutantsTried, partsLeftOut }: NonNullable<Found['task']>) {
  const lines = Object.values(groups);
  return {
    steps: oracle.length,
    failToPass: lines.reduce((sum, { gained }) => sum + gained.length, 0),
    passToPass: lines.reduce((sum, { kept }) => sum + kept.length, 0),
    mutantsFailed,
    mutantsTried,
    partsLeftOut,
  };
}

function tellTable(output: Output, all: readonly Found[]): void {
  const tasks = all.flatMap(({ task }) => (task === null ? [] : [task]));
  const reasons = Map.groupBy(
    all.flatMap(({ reason }) => (reason === null ? [] : [reason.replaceAll(/\d+/g, 'n').replace(/:.*/, '')])),
    reason => reason,
  );
  const sum = (of: (task: (typeof tasks)[number]) => number): number =>
    tasks.reduce((total, task) => total + of(task), 0);
  const rows = [
    ['tasks', `${tasks.length} of ${count(all.length, 'commit')}`],
    ['spoilt solutions that fail', `${sum(task => task.mutantsFailed)} of ${sum(task => task.mutantsTried)}`],
    ['parts that no test needs', String(sum(task => task.partsLeftOut))],
    ...[...reasons].map(([reason, some]) => [`no task: ${reason}`, String(some.length)]),
  ];
  output.line();
  for (const line of columns(rows)) output.line(`  ${line}`);
}
