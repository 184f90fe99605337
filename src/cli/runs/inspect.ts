import { drawEpisode, type DrawnTree } from '../../analysis/gallery.ts';
import { annotate, type Annotated } from '../../analysis/signals/signal.ts';
import { writeEpisodePage } from '../../analysis/report/write-episode.ts';
import { failedChecks } from '../../core/check-ids.ts';
import { isByPerson } from '../../core/episode/events.ts';
import { describeLack, lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeSource, EpisodeSummary } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { shellWord } from '../../core/naming/shell-word.ts';
import type { Verdict } from '../../core/records.ts';
import { callsText, checkLines, milliseconds, showTask, verdictWord } from '../terminal/describe.ts';
import { count } from '../../core/text.ts';
import { columns, wrap, type ExitCode, type Output, type Paint } from '../terminal/output.ts';
import { packageVersion } from '../../system/about.ts';
import { isUncertified } from '../../runs/certify/certify.ts';
import { openRun, writeWhole } from '../../runs/folder/folder.ts';
import { agentTexts, episodesNamed, findEpisode, findEpisodes, type Wanted } from '../../runs/inspect.ts';
import { usualSignals } from '../../analysis/signals/signals.ts';
import { failureOf, placeText, type Failure } from '../../analysis/signals/causes.ts';
import { readTriedPlaces } from '../../runs/annotations/tried-places.ts';
import { chooseSignals } from '../../runs/registry/signals.ts';
import { selectFrom, selectionText } from '../terminal/select.ts';
import { signalText, treeLines } from './inspect/tree-lines.ts';
import { outcomesText } from '../terminal/progress.ts';

export interface InspectRequest extends Wanted {
  readonly run: string;
  readonly episode?: string | undefined;
  readonly verbose?: boolean;
  /** Page of the list, from 1; and how many episodes it has at most. */
  readonly page?: number;
  readonly limit?: number;
  /** Signals to show, by name or module; all built-in ones when left out. */
  readonly signal?: readonly string[];
  /** Page to write instead. */
  readonly html?: string | undefined;
  /** A condition on episodes. */
  readonly where?: string | undefined;
  readonly json?: boolean;
}

export async function inspect(output: Output, request: InspectRequest): Promise<ExitCode> {
  const store = openRun(request.run);
  try {
    const { episode, html } = request;
    if (episode === undefined && html !== undefined) throw noEpisode(request.run);
    if (episode === undefined) await listSelected(output, store, request);
    else if (html === undefined && request.json !== true && listNamed(output, store, { run: request.run, episode })) {
      return 2;
    } else {
      const record = foldEpisode(findEpisode(store, episode));
      const said = annotate(record, await chooseSignals(request.signal ?? usualSignals));
      const failure = failureOf(record, readTriedPlaces(request.run, store)(record));
      if (html === undefined) showEpisode(output, { record, said, failure }, request);
      else writeEpisode(output, record, { store, page: html, json: request.json === true });
    }
    return 0;
  } finally {
    store.close();
  }
}

const mostNamed = 20;

/** Lists the episodes that a part of a key may mean, and how to open each; false when it means one, or none. */
function listNamed(output: Output, store: EpisodeSource, { run, episode }: { run: string; episode: string }): boolean {
  const found = episodesNamed(store, episode);
  if (found.length < 2) return false;
  output.note(`"${episode}" is part of ${found.length} keys. Open one of them:`);
  const rows = found
    .slice(0, mostNamed)
    .map(({ head, end }) => [
      outcomeWord(end.outcome, output.paint),
      `espalier inspect ${shellWord(run)} ${shellWord(head.key)}`,
    ]);
  for (const text of columns(rows)) output.note(`  ${text}`);
  if (found.length > mostNamed) output.note(`and ${found.length - mostNamed} more: espalier inspect ${run} lists all.`);
  return true;
}

interface EpisodePage {
  readonly store: EpisodeSource;
  readonly page: string;
  readonly json: boolean;
}

function writeEpisode(output: Output, record: EpisodeRecord, { store, page, json }: EpisodePage): void {
  const tree = drawEpisode(record);
  writeWhole(page, writeEpisodePage(tree, { pictures: store.attachment, version: packageVersion() }));
  const { shots, steps } = shotsOf(tree);
  if (json) output.json({ written: [page], steps, screenshots: shots });
  else output.line(`Written to ${output.paint.bold(page)}: ${count(steps, 'step')}, ${shotsText(tree)}.`);
}

function shotsOf({ nodes }: DrawnTree): { readonly shots: number; readonly steps: number } {
  return { shots: nodes.filter(({ shot }) => shot !== undefined).length, steps: nodes.length };
}

function shotsText(tree: DrawnTree): string {
  const { shots, steps } = shotsOf(tree);
  if (shots === 0) return 'none of them with a screenshot';
  return shots === steps ? 'each with its screenshot' : `${shots} of them with a screenshot`;
}

async function listSelected(output: Output, store: EpisodeSource, request: InspectRequest): Promise<void> {
  const { where } = request;
  if (where === undefined) {
    list(output, findEpisodes(store, request), request);
    return;
  }
  const selection = await selectFrom(output, store, { run: request.run, where, signal: request.signal });
  list(output, findEpisodes(selection.source, request), request);
  output.note(selectionText(selection));
}

const defaultLimit = 100;

function list(output: Output, summaries: Iterable<EpisodeSummary>, request: InspectRequest): void {
  const { paint, line } = output;
  const { run, json = false, page = 1, limit = json && request.page === undefined ? Infinity : defaultLimit } = request;
  const tallies = { agents: createTally(), people: createTally() };
  const rows: string[][] = [];
  let total = 0;
  const first = page === 1 ? 0 : (page - 1) * limit;
  for (const summary of summaries) {
    tallies[isByPerson(summary.head) ? 'people' : 'agents'].add(summary);
    const isShown = total >= first && total < first + limit;
    total++;
    if (!isShown) continue;
    if (json) output.json(episodeJson(summary));
    else rows.push(episodeColumns(summary, paint));
  }
  if (total > 0 && first >= total) throw noPage({ page, limit, total });
  if (json) return;
  const heads = ['outcome', 'episode', 'steps', 'interventions', 'reason'].map(head => paint.dim(head));
  for (const text of columns([heads, ...rows], [2, 3])) line(text);
  line();
  line(tallyText(tallies, total));
  const shown = rows.length === total ? '' : `Shown: ${first + 1} to ${first + rows.length}.`;
  if (first + rows.length < total) line(`${shown} ${paint.dim(`Next: ${pageCommand(request, page + 1)}`)}`);
  else if (shown !== '') line(shown);
  if (rows.length > 0) line(paint.dim(`Next: espalier inspect ${run} <episode>`));
}

/** Opens another page of the same list. */
function pageCommand({ run, outcome, template, where, signal, limit }: InspectRequest, page: number): string {
  const chosen = { outcome, template, where, signal: signal?.join(','), limit: limit?.toString() };
  const flags = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return ['espalier inspect', shellWord(run), ...flags, `--page ${page}`].join(' ');
}

interface Tally {
  add(summary: EpisodeSummary): void;
  episodes(): number;
  /** `12 passed, 3 failed. Of the passed, 1 not certified.` */
  text(): string;
}

function createTally(): Tally {
  const outcomes = { passed: 0, failed: 0, discarded: 0, errored: 0 };
  let [episodes, uncertified] = [0, 0];
  return {
    add(summary) {
      episodes++;
      outcomes[summary.end.outcome]++;
      uncertified += Number(isUncertified(summary));
    },
    episodes: () => episodes,
    text: () => `${outcomesText(outcomes)}.${uncertified === 0 ? '' : ` Of the passed, ${uncertified} not certified.`}`,
  };
}

/** What people did is told apart: it says nothing of an agent. */
function tallyText({ agents, people }: { readonly agents: Tally; readonly people: Tally }, total: number): string {
  if (people.episodes() === 0) return `${count(total, 'episode')}: ${agents.text()}`;
  const byPeople = `${count(people.episodes(), 'episode')} by people: ${people.text()}`;
  return agents.episodes() === 0
    ? byPeople
    : `${count(agents.episodes(), 'episode')}: ${agents.text()} Beside them, ${byPeople}`;
}

function failedOf({ head, end }: EpisodeSummary): readonly string[] {
  return end.verdict === null ? [] : failedChecks(end.verdict, head.task.parameters);
}

function episodeJson(summary: EpisodeSummary): object {
  const { key, student } = summary.head;
  const { outcome, reason, counts } = summary.end;
  const certified = !isUncertified(summary);
  return { key, student, outcome, certified, reason, failedChecks: failedOf(summary), ...counts };
}

function episodeColumns(summary: EpisodeSummary, paint: Paint): string[] {
  const { outcome, reason, counts, leaf } = summary.end;
  const why = isUncertified(summary)
    ? `not certified: ${describeLack(summary, leaf)}`
    : [...(reason === null ? [] : [reason]), ...failedOf(summary)].join(', ');
  return [
    outcomeWord(outcome, paint),
    summary.head.key,
    String(counts.steps),
    String(counts.interventions),
    paint.dim(why),
  ];
}

function noPage({ page, limit, total }: { page: number; limit: number; total: number }): EspalierError {
  return invalidOption(
    `There is no page ${page} of ${count(total, 'episode')}, ${limit} a page.`,
    `Expected --page 1 to ${Math.ceil(total / limit)}.`,
  );
}

function outcomeWord(outcome: EpisodeSummary['end']['outcome'], paint: Paint): string {
  if (outcome === 'passed') return paint.green(outcome);
  return outcome === 'failed' ? paint.red(outcome) : paint.yellow(outcome);
}

interface Shown {
  readonly record: EpisodeRecord;
  /** The annotations of the signals. */
  readonly said: readonly Annotated[];
  /** Why it did not pass; null when it did. */
  readonly failure: Failure | null;
}

function showEpisode(output: Output, { record, said, failure }: Shown, request: InspectRequest): void {
  const { run, json = false, verbose = false } = request;
  const { paint, line } = output;
  const { head, end } = record;
  const tree = drawEpisode(record);
  if (json) {
    output.json({ ...tree, head, end, certificates: record.certificates, signals: said, wentWrong: failure });
    return;
  }
  showTask(output, head.task);
  const { student, teacher, strategy } = head;
  line(paint.dim([head.key, strategy, ...agentTexts({ student, teacher })].join(' · ')));
  line();
  const saidOf = Map.groupBy(said, ({ node }) => node);
  const drawing = { paint, width: output.width, verbose, callsFor: record.callsFor, saidOf };
  for (const text of treeLines(tree, drawing)) line(text);
  for (const found of saidOf.get(null) ?? []) line(paint.dim(signalText(found)));
  for (const text of wrongLines(failure, output)) line(text);
  line();
  if (end.verdict !== null) for (const text of checkLines(judgedIn(end), paint)) line(text);
  const { counts } = end;
  const effort = [
    `${count(counts.steps, 'step')} kept of ${counts.taken} taken`,
    reviewsText(record),
    count(counts.corrections, 'correction'),
    rollbacksText(record),
    milliseconds(end.milliseconds),
    ...(record.calls.length === 0 ? [] : [callsText(record.calls)]),
  ].join(' · ');
  const word = end.verdict === null ? outcomeWord(end.outcome, paint) : verdictWord(end.verdict, paint);
  line(`${word}${end.reason === null ? '' : ` (${end.reason})`}  ${paint.dim(effort)}`);
  line(certificationLine(record, output));
  for (const text of divergenceLines(record, output)) line(text);
  if (end.message !== null) line(paint.yellow(wrap(`${end.boundary}: ${end.message}`, output.width, '  ')));
  const { shots, steps } = shotsOf(tree);
  if (shots === 0) return;
  line(paint.dim(`${shots} of ${count(steps, 'step')} ${shots === 1 ? 'has a screenshot' : 'have screenshots'}.`));
  line(paint.dim(`Next: espalier inspect ${shellWord(run)} ${shellWord(head.key)} --html episode.html`));
}

/** Where the episode went wrong, why, and what shows it. */
function wrongLines(found: Failure | null, { paint, width }: Output): string[] {
  if (found === null) return [];
  const { reason, cause, shown, evidence } = found;
  return [
    paint.red(wrap(`Went wrong (${cause}): ${reason}`, width, '  ')),
    ...placeText(found).map(text => wrap(`  ${text}`, width, '    ')),
    ...shown.map(text => paint.dim(wrap(`  the screen at the end has: ${text}`, width, '    '))),
    ...evidence.map(text => paint.dim(wrap(`  ${text}`, width, '    '))),
  ];
}

/** `3 reviews of 7 steps, 1 skipped`. */
function reviewsText({ reviews, end }: EpisodeRecord): string {
  const { reviews: made, skipped = 0 } = end.counts;
  const shown = reviews.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return [
    count(made, 'review') + (made === 0 ? '' : ` of ${count(shown, 'step')}`),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ');
}

/** The verdict on an episode. Episodes that were recorded outside of our environments never know their side effects. */
function judgedIn({ verdict, certification }: EpisodeRecord['end']): Verdict {
  const { evidence, ...rest } = verdict as Verdict;
  return { ...rest, evidence: certification === 'none' ? { ...evidence, sideEffectsKnown: false } : evidence };
}

/** `3 rollbacks, 2 restored`. */
function rollbacksText({ rollbacks }: EpisodeRecord): string {
  const restored = rollbacks.filter(({ method }) => method === 'restore').length;
  return `${count(rollbacks.length, 'rollback')}${rollbacks.length === 0 ? '' : `, ${restored} restored`}`;
}

/** How the end of the episode is certified, or why it is not. */
function certificationLine(record: EpisodeRecord, { paint, width }: Output): string {
  const { end } = record;
  if (end.certification === 'none') return paint.dim('recorded outside of our worlds: nothing to certify');
  if (end.certification === 'by-construction')
    return paint.dim(end.outcome === 'passed' ? 'certified by construction' : 'not passed: nothing to certify');
  if (!lacksCertificate(record, end.leaf)) return paint.dim('certified by replay');
  if (end.outcome !== 'passed') return paint.dim('not certified: only what passed is replayed');
  return paint.yellow(wrap(`passed, not certified: ${describeLack(record, end.leaf)}`, width, '  '));
}

/** Says which rollbacks could not use their snapshot, and why. */
function divergenceLines({ rollbacks }: EpisodeRecord, { paint, width }: Output): string[] {
  return rollbacks.flatMap(({ to, divergence }) => {
    const place = to === 0 ? 'the start' : `step ${to}`;
    return divergence === undefined ? [] : paint.dim(wrap(`back to ${place} by replay: ${divergence}`, width, '  '));
  });
}

function noEpisode(run: string): EspalierError {
  return invalidOption(
    'No episode is named for --html.',
    `Expected the key of one, as espalier inspect ${run} lists it; espalier report draws a whole run.`,
  );
}
