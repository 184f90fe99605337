import { annotate, type Annotated } from '../../analysis/signals/signal.ts';
import { signals } from '../../analysis/signals/signals.ts';
import { drawEpisode } from '../../analysis/gallery.ts';
import type { CallEvent, ModelCall } from '../../core/chat/model.ts';
import { createCallReader } from '../../core/episode/call-log.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { LongText, ModelExchange, OutlineStep, StepDetail } from '../api/api.ts';
import type { StoreListing } from '../../store/listing.ts';

/** Characters of a text that are sent at first. */
const longest = 200_000;
/** Exchanges with models of one step that are shown. */
const mostExchanges = 8;
const mostTokens = 4000;

/** The steps of an episode as the report draws them, with what a large tree does not need left out. */
export function outlineSteps(record: EpisodeRecord): OutlineStep[] {
  return drawEpisode(record).nodes.map(({ id, parent, text, actor, status, rejection, replaces, verdict }) => ({
    id,
    parent,
    text: shortText(text),
    role: actor.role,
    status,
    rejection: rejection === null ? null : shortText(rejection),
    replaces,
    verdict: verdict === null ? null : verdict.pass,
  }));
}

const longestLine = 300;

export function shortText(text: string): string {
  return text.length <= longestLine ? text : `${text.slice(0, longestLine)}…`;
}

export function certificationText(record: EpisodeSummary): string {
  const { outcome, certification, leaf } = record.end;
  if (outcome !== 'passed') return 'nothing to certify: it did not pass';
  if (certification === 'none') return 'not certified: recorded outside, nothing to replay';
  if (certification === 'by-construction') return 'certified by construction';
  return lacksCertificate(record, leaf) ? 'not certified' : 'certified by replay';
}

/** A step that is asked for by number and is not there: says which ones are. */
export function requireStep({ tree }: EpisodeRecord, episode: number, node: number): void {
  const last = tree.leaves().at(-1)?.id ?? 0;
  if (node <= last) return;
  throw new EspalierError({
    boundary: 'input',
    code: 'not-found',
    message: `There is no step ${node} in episode ${episode}.`,
    expected: last === 0 ? 'No step was taken in it.' : `Its steps are 1 to ${last}; the nearest is ${last}.`,
  });
}

/** Everything that the journal says of a step. */
export function stepDetail(listing: StoreListing, record: EpisodeRecord, place: StepPlace): StepDetail {
  const { attempt, node: id, signalsOf } = place;
  // First: it says what is there where this step is not.
  const screen = longText(listing.screen(attempt, id));
  const node = record.tree.node(id);
  const shot = record.shot(id);
  const correction = record.corrections.find(found => found.node === id);
  const leaf = record.leaves.find(found => found.node === id);
  const verdict = record.end.leaf === id ? record.end.verdict : (leaf?.verdict ?? null);
  return {
    id,
    text: shortText(record.text(id)),
    actor: node.actor,
    action: node.action,
    outcome: node.outcome,
    thought: node.thought === undefined ? null : longText(node.thought),
    screen,
    picture: shot === null ? null : { hash: shot.hash, width: shot.width, height: shot.height, target: shot.target },
    before: node.before,
    after: node.after,
    reviews: record.reviews
      .filter(({ nodes }) => nodes.includes(id))
      .map(({ by, accept, at, reason, overruled }) => ({
        by: by.name,
        accept: accept || at !== id,
        reason: at === id ? reason : null,
        isOverruled: overruled === true,
      })),
    correction: correction === undefined ? null : { replaces: correction.replaces, reason: correction.reason },
    verdict,
    signals: signalsAt(signalsOf(record), id),
    exchanges: record
      .callsFor(id)
      .slice(-mostExchanges)
      .map(call => exchangeOf(listing, call)),
    numbers: numbersOf(node),
  };
}

export interface StepPlace {
  readonly attempt: number;
  readonly node: number;
  readonly signalsOf: SignalsOf;
}

function longText(text: string): LongText {
  return { text: text.slice(0, longest), length: text.length };
}

function numbersOf({ cost, tokens, prior, value, confidence }: TreeNode): Readonly<Record<string, number>> {
  const given = { cost, tokens, prior, value, confidence };
  return Object.fromEntries(Object.entries(given).filter((pair): pair is [string, number] => pair[1] !== undefined));
}

/** Signals compare steps with each other: in larger episodes that would hold up the server. */
export const mostSteps = 2000;

/** What signals say of the steps of an episode, asked once for each; null where it has too many steps. */
export type SignalsOf = (record: EpisodeRecord) => readonly Annotated[] | null;

export function createSignals(): SignalsOf {
  const known = new WeakMap<EpisodeRecord, readonly Annotated[]>();
  return record => {
    if (record.end.counts.taken > mostSteps) return null;
    const said = known.get(record) ?? annotate(record, signals.entries);
    known.set(record, said);
    return said;
  };
}

function signalsAt(said: readonly Annotated[] | null, node: number): StepDetail['signals'] {
  if (said !== null)
    return said.filter(found => found.node === node).map(found => ({ signal: found.signal, text: describe(found) }));
  const text = `This episode has more than ${mostSteps} steps. Run espalier annotate to ask the signals.`;
  return [{ signal: 'not asked', text }];
}

function describe({ label, value, note }: Annotated): string {
  return [label, ...(value === undefined ? [] : [String(value)]), ...(note === undefined ? [] : [note])].join(' · ');
}

/** An exchange that is damaged is shown as far as the journal itself tells it. */
function exchangeOf({ attachment }: StoreListing, call: CallEvent): ModelExchange {
  const whole = readWhole(attachment, call);
  const { question, by, endpoint, problem, usage } = call;
  return {
    question,
    by: by.name,
    endpoint,
    problem: problem ?? (whole === null ? 'This exchange cannot be read from the store.' : null),
    usage: usage === null ? '' : JSON.stringify(usage),
    messages: (whole?.messages ?? []).map(message => ({
      role: message.role,
      text: longText(typeof message.content === 'string' ? message.content : partsText(message.content)).text,
    })),
    reply: whole === null ? '' : longText(replyText(whole)).text,
    tokens: whole === null ? [] : tokensOf(whole),
  };
}

/** Null where the exchange is missing or damaged. */
function readWhole(attachment: StoreListing['attachment'], { record }: CallEvent): ModelCall | null {
  try {
    return createCallReader(attachment)(record);
  } catch {
    return null;
  }
}

/** The ids of the tokens as the server gave them: it gave no text for each. */
function tokensOf({ reply: { tokens } }: ModelCall): ModelExchange['tokens'] {
  const ids = tokens?.completion ?? [];
  return ids.slice(0, mostTokens).map((id, index) => ({ id, logprob: tokens?.logprobs?.[index] ?? null }));
}

function partsText(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map(part => part.text ?? `[${part.type}]`).join('\n');
}

function replyText({ reply: { message } }: ModelCall): string {
  const calls = (message.calls ?? []).map(({ name, input }) => `${name} ${input}`);
  return [message.thought ?? '', message.content, ...calls].filter(text => text !== '').join('\n');
}

/** The record of an episode without its screens: they are read step by step. */
export function readOutline(listing: StoreListing, attempt: number): EpisodeRecord {
  return foldEpisode(listing.outline(attempt));
}
