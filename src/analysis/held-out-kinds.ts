import type { EpisodeRecord } from '../core/episode/record.ts';
import { readScreen } from '../core/episode/screen-text.ts';
import { rowOf } from '../core/episode/view.ts';

/** A held-out template needs controls that training templates act on as well, or others. */
export type HeldOutKind = 'new-composition' | 'unseen-skill';

interface GoldPaths {
  readonly name: string;
  readonly app: string;
  readonly isTrained: boolean;
  /** The controls of each path. */
  readonly paths: ReadonlySet<string>[];
}

/** `mail/star-message`. */
export function templateName({ head }: Pick<EpisodeRecord, 'head'>): string {
  return `${head.task.environment}/${head.task.template}`;
}

/**
 * The kind of every held-out template, by episodes that passed, such as those of a planner: unseen skill when at least
 * half of its paths act on a control that no path of a training template of the app acts on.
 */
export function heldOutKinds(records: Iterable<EpisodeRecord>): Map<string, HeldOutKind> {
  const templates = goldPaths(records);
  const trained = Map.groupBy(
    templates.filter(({ isTrained }) => isTrained),
    ({ app }) => app,
  );
  const kinds = new Map<string, HeldOutKind>();
  for (const { name, app, isTrained, paths } of templates) {
    if (isTrained) continue;
    const known = new Set(trained.get(app)?.flatMap(template => template.paths.flatMap(path => [...path])));
    const unseen = paths.filter(path => !path.isSubsetOf(known)).length;
    kinds.set(name, 2 * unseen >= paths.length ? 'unseen-skill' : 'new-composition');
  }
  return kinds;
}

function goldPaths(records: Iterable<EpisodeRecord>): GoldPaths[] {
  const found = new Map<string, GoldPaths>();
  for (const record of records) {
    if (record.end.outcome !== 'passed') continue;
    const name = templateName(record);
    const { environment: app, split } = record.head.task;
    const known = found.get(name) ?? { name, app, isTrained: split === 'train', paths: [] };
    known.paths.push(new Set(record.tree.path(record.end.leaf).map(({ id }) => controlOf(record, id))));
    found.set(name, known);
  }
  return [...found.values()];
}

/** What a step acts on, apart from the data of the task: `click button "Star"`, `click link "*"` for a record by its name. */
export function controlOf(record: EpisodeRecord, node: number): string {
  const { action } = record.tree.node(node);
  if (action.kind === 'finish')
    return action.infeasible === true ? 'finish infeasible' : action.answer === undefined ? 'finish' : 'finish answer';
  if (action.kind === 'call') return `call ${action.tool}`;
  if (!('ref' in action)) return action.kind;
  const lines = readScreen(record.screen(node));
  const line = lines.find(({ ref }) => ref === action.ref);
  if (line === undefined) return action.kind;
  const row = rowOf(lines, line)?.name ?? '';
  const isData = row.includes(line.name) || textsOf(record.head.task.parameters).some(text => text === line.name);
  // Counts are data, too: `Inbox 3`.
  const name = isData ? '*' : line.name.replaceAll(/\d+/g, '#');
  return `${action.kind} ${line.role} "${name}"`;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
