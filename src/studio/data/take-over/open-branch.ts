import type { EpisodeHead } from '../../../core/episode/events.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../../../core/errors.ts';
import type { Task } from '../../../core/records.ts';
import { drivenRound } from '../../../episode/driven/episodes.ts';
import type { OpenTakeOver } from '../../api/api.ts';
import { runNameOf } from '../../../runs/folder/folder.ts';
import type { Host } from '../../../runs/host/host.ts';
import type { OpenedRun } from '../opened-run.ts';
import { requireStep } from '../episode-details.ts';
import { branchPrefix } from './branch-prefix.ts';
import { beginDraft, continueDraft, readDraft, type Draft, type DraftedBranch } from './draft.ts';
import { openTakenWorld, type TakenWorld } from './taken-world.ts';

export interface OpenBranchOptions {
  readonly host: Host;
  run(id: string): OpenedRun;
  runs(): Iterable<OpenedRun>;
  /** The record of an episode, without its screens. */
  record(run: string, episode: number): EpisodeRecord;
  screen(run: string, episode: number, node: number): string;
}

/** A branch that a person has open: what it came from, and its world. */
export interface OpenBranch extends Omit<DraftedBranch, 'events' | 'attachments'> {
  readonly world: TakenWorld;
  /** Removes what was written of it beside the store. */
  forget(): void;
}

/** Restores the state after a node of an episode. */
export async function openAtNode(options: OpenBranchOptions, id: string, request: OpenTakeOver): Promise<OpenBranch> {
  const { run, episode, node, replaces } = request;
  const record = options.record(run, episode);
  requireStep(record, episode, Math.max(node, replaces ?? 0));
  if (replaces !== null && record.tree.node(replaces).parent !== node) throw notAfter(replaces, node);
  const screenOf = (step: number): string => options.screen(run, episode, step);
  const prefix = branchPrefix({ record, node, replaces, screenOf });
  const head = { ...record.head, key: 'studio', phase: 'collect', round: drivenRound, strategy: 'studio' } as const;
  const replaced =
    replaces === null ? null : { id: replaces, text: record.text(replaces), action: record.tree.node(replaces).action };
  return openBranch(options, id, { request, head, phase: record.head.phase, replaced, attachments: [], ...prefix });
}

export interface PlayedTask {
  readonly run: string;
  readonly person: string;
  readonly task: Task;
}

/** Opens a task at its start, for a person to do. */
export function openTask(
  options: OpenBranchOptions,
  id: string,
  { run, person, task }: PlayedTask,
): Promise<OpenBranch> {
  const head: EpisodeHead = {
    run: runNameOf(options.run(run).folder),
    key: 'studio',
    index: 0,
    phase: 'collect',
    round: drivenRound,
    trial: 0,
    task,
    student: person,
    teacher: null,
    strategy: 'studio',
  };
  const request = { run, episode: 0, node: 0, person, replaces: null };
  const nothing = { events: [], attachments: [], start: 0, replaces: null, replaced: null };
  return openBranch(options, id, { request, head, phase: 'collect', ...nothing });
}

/** Opens a branch again that a crash or a restart left unfinished; null when there is none. */
export async function openDraft(options: OpenBranchOptions, id: string): Promise<OpenBranch | null> {
  for (const { folder } of options.runs()) {
    const found = readDraft(folder, id);
    if (found !== null) return openWith(options, { ...found, isResumed: true }, continueDraft(folder, id));
  }
  return null;
}

async function openBranch(options: OpenBranchOptions, id: string, branch: DraftedBranch): Promise<OpenBranch> {
  const { events: _events, attachments: _attachments, ...header } = branch;
  const draft = beginDraft(options.run(header.request.run).folder, id, header);
  try {
    return await openWith(options, { ...branch, isResumed: false }, draft);
  } catch (cause) {
    draft.remove();
    throw cause;
  }
}

interface BegunBranch extends DraftedBranch {
  readonly isResumed: boolean;
}

async function openWith(options: OpenBranchOptions, branch: BegunBranch, draft: Draft): Promise<OpenBranch> {
  const { events, attachments, isResumed, ...header } = branch;
  const { replaces, start, head, request } = header;
  const environment = await options.run(request.run).worlds.environment(head.task.environment);
  const prefix = { events, attachments, replaces, start };
  const world = await openTakenWorld({ environment, head, prefix, draft, isResumed, host: options.host });
  return { ...header, world, forget: draft.remove };
}

function notAfter(replaces: number, node: number): EspalierError {
  return invalidOption(
    `Step ${replaces} does not follow step ${node}.`,
    'A correction replaces a step that was taken in the restored state.',
  );
}
