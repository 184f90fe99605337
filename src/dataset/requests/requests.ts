import type { AssistantMessage, ChatMessage, ChatTool } from '../../core/chat/chat.ts';
import type { CallEvent, ModelCall } from '../../core/chat/model.ts';
import { createCallReader, isAlike } from '../../core/episode/call-log.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { pastStepOf, picturesBefore, type View } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Image } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import { createMemory } from '../../models/prompt/memory.ts';
import { readPrompts, type Edition } from '../../models/prompt/prompts.ts';
import {
  createPromptStyle,
  writeStepRequest,
  type PromptForm,
  type PromptStyle,
} from '../../models/prompt/step-request.ts';
import { numberedAnswer, writeAnswer, type Speech } from '../../models/prompt/transcript.ts';
import { comesFromHint, withoutHint } from './hints.ts';
import { createOffers, type ToolsOf } from './offers.ts';
import { rowAnswer, rowMessages, rowTools, type Message } from './wire.ts';

/** What a model is asked at a step, as a row has it. */
export interface RowRequest {
  readonly messages: readonly Message[];
  /** A text of JSON. */
  readonly tools: string;
  /** `recorded`: as it was sent. `written`: as it would be sent to a model at this point. */
  readonly source: 'recorded' | 'written';
  /** The exchange with a model that led to this step; null for steps of anybody else. */
  readonly call: ModelCall | null;
  /** A step from here as the answer to it. */
  answer(node: number): Message;
  /** The request and such an answer before they are written as a row. */
  readonly chat: readonly ChatMessage[];
  said(node: number): AssistantMessage;
}

export interface Requests {
  /**
   * The request that led to a step, or would have. A correction answers the request that the student got. A step that was
   * taken with a hint answers the request without it. Null for a step that only its hint explains, and for one that is a further call
   * of an answer: the row of the first call has the whole answer.
   */
  of(record: EpisodeRecord, node: number): RowRequest | null;
  /** The whole chat up to a step and with it, as if the steps on the way had been these: null leaves one out. */
  rewritten(record: EpisodeRecord, node: number, edit: StepEdit): Pick<RowRequest, 'messages' | 'tools'>;
  /** How requests are written where none is recorded. */
  readonly style: PromptStyle;
  /** Environments whose tools are not known, and stand in no written request. */
  withoutTools(): string[];
}

/** A step as a row is to have it; null where it is to have none. */
type StepEdit = (step: TreeNode) => TreeNode | null;

export interface RequestsOptions {
  readonly source: Pick<EpisodeSource, 'attachment'>;
  readonly toolsOf?: ToolsOf | undefined;
  /** How requests are written where none is recorded; as chats unless given. */
  readonly form?: PromptForm | undefined;
  /** How their answers are said; by tool calls unless given. */
  readonly speech?: Speech | undefined;
  /** Characters of screens before old ones are left out of written requests. */
  readonly window?: number | undefined;
  /** Of the built-in prompts; the newest unless given. */
  readonly edition?: Edition | undefined;
}

/** A request before it is written down, and how its steps are said. */
interface Asked {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly speech: Speech;
  /** The exchange that it is taken from, and the step it led to; null when it is written. */
  readonly call: ModelCall | null;
  readonly ledTo: number;
}

export function createRequests({ source, toolsOf, edition, ...chosen }: RequestsOptions): Requests {
  const { form, window } = chosen;
  const style = createPromptStyle({ form, speech: chosen.speech, window, prompts: readPrompts({}, edition) });
  const offers = createOffers(toolsOf, edition);
  const readCall = createCallReader(source.attachment);
  const picture = createPictures(source);
  const messagesOf = createSharing();
  const toolsText = createToolTexts();
  const written = (record: EpisodeRecord, node: number, edit: StepEdit = asTaken): Asked => {
    const sight = record.shot(node) === null ? 'text' : 'both';
    const view = viewAt(record, node, { picture, edit });
    const request = writeStepRequest(view, {
      style: { ...style, screenFormat: sight },
      offer: offers.of(record, sight),
      memory: createMemory(),
    });
    return { messages: request.chat.messages, tools: request.tools, speech: style.speech, call: null, ledTo: node };
  };
  const said = (
    record: EpisodeRecord,
    node: number,
    { call, ledTo, messages, speech, edit = asTaken }: Asked & { readonly edit?: StepEdit },
  ): AssistantMessage => {
    // The model's own words, as the next request of the episode has them.
    if (call !== null && ledTo === node) return ownAnswer(call);
    const { action, thought } = edit(withoutHint(record, record.tree.node(node))) ?? record.tree.node(node);
    const offer = offers.named(record, record.shot(node) === null ? 'text' : 'both');
    const answer = writeAnswer({ action, ...(thought === undefined ? {} : { thought }) }, { offer, speech });
    return numberedAnswer(answer, messages);
  };
  return {
    style,
    withoutTools: offers.withoutTools,
    rewritten(record, node, edit) {
      const asked = written(record, node, edit);
      const answer = rowAnswer(said(record, node, { ...asked, edit }));
      return { messages: [...messagesOf(asked.messages), answer], tools: toolsText(asked.tools) };
    },
    of(record, node) {
      const found = findCall(record, node);
      if (found === null && isFurtherCall(record, node, readCall)) return null;
      if (comesFromHint(record, node)) return null;
      const asked =
        found === null || hasHint(record, found)
          ? written(record, node)
          : recorded(found, readCall(found.event.record));
      return {
        messages: messagesOf(asked.messages),
        tools: toolsText(asked.tools),
        source: asked.call === null ? 'written' : 'recorded',
        call: asked.ledTo === node ? asked.call : null,
        answer: step => rowAnswer(said(record, step, asked)),
        chat: asked.messages,
        said: step => said(record, step, asked),
      };
    },
  };
}

/** The tools of an environment are written once. */
function createToolTexts(): (tools: readonly ChatTool[]) => string {
  const texts = new WeakMap<readonly ChatTool[], string>();
  return tools => {
    let text = texts.get(tools);
    if (text === undefined) texts.set(tools, (text = rowTools(tools)));
    return text;
  };
}

/** Requests of one episode begin alike: what is the same is one object, so that writers can tell at a glance. */
function createSharing(): (messages: readonly ChatMessage[]) => readonly Message[] {
  let last: { readonly sent: readonly ChatMessage[]; readonly rows: readonly Message[] } = { sent: [], rows: [] };
  return sent => {
    const rows = rowMessages(sent);
    // Pictures of tools are messages of their own: then places do not correspond.
    const isParallel = rows.length === sent.length && last.rows.length === last.sent.length;
    const most = isParallel ? rows.length : 0;
    for (let at = 0; at < most && isAlike(last.sent[at], sent[at]); at++) rows[at] = last.rows[at] as Message;
    last = { sent, rows };
    return rows;
  };
}

interface FoundCall {
  readonly event: CallEvent;
  /** The step that it led to; a step that was not taken for an answer of no use. */
  readonly ledTo: number;
}

/** The question that the student was asked where this step was taken; null when it is no model. */
function findCall(record: EpisodeRecord, node: number): FoundCall | null {
  const calls = record.callsFor(node).filter(({ question }) => question === 'act');
  const used = calls.findLast(({ problem }) => problem === null);
  if (used !== undefined) return { event: used, ledTo: node };
  const correction = record.corrections.find(candidate => candidate.node === node);
  if (correction === undefined) return null;
  if (correction.replaces !== null) return findCall(record, correction.replaces);
  // The student had nothing to offer: the first question is the one without its useless answers.
  const [first] = calls;
  return first === undefined ? null : { event: first, ledTo: 0 };
}

/** Whether the question has a hint, or repeats what was said to one. */
function hasHint({ tree }: EpisodeRecord, { ledTo }: FoundCall): boolean {
  return ledTo !== 0 && tree.path(ledTo).some(({ hint }) => hint !== undefined);
}

function recorded({ ledTo }: FoundCall, call: ModelCall): Asked {
  const { messages, tools } = call;
  return { messages, tools, speech: tools.length === 0 ? 'text' : 'tools', call, ledTo };
}

/** Our policies number calls through; other harnesses send back what the server called them. */
function ownAnswer({ prompts, messages, reply }: ModelCall): ModelCall['reply']['message'] {
  return isOurs(prompts) ? numberedAnswer(reply.message, messages) : reply.message;
}

function isOurs(prompts: ModelCall['prompts']): boolean {
  return Object.keys(prompts).length > 0;
}

/** Harnesses make several calls of one answer: each is a step, and only the first has the question before it. */
function isFurtherCall(record: EpisodeRecord, node: number, read: (address: string) => ModelCall): boolean {
  if (record.calls.length === 0) return false;
  let calls = 1;
  for (let { parent } = record.tree.node(node); parent !== 0; { parent } = record.tree.node(parent)) {
    calls++;
    const event = record.callsFor(parent).findLast(({ question }) => question === 'act');
    if (event === undefined) continue;
    const { prompts, reply } = read(event.record);
    return !isOurs(prompts) && (reply.message.calls?.length ?? 0) >= calls;
  }
  return false;
}

type PictureOf = (record: EpisodeRecord, node: number) => Image | undefined;

const asTaken: StepEdit = step => step;

/** What an agent saw where a step was taken. */
function viewAt(
  record: EpisodeRecord,
  node: number,
  { picture, edit }: { readonly picture: PictureOf; readonly edit: StepEdit },
): Pick<View, 'instruction' | 'observation' | 'path'> {
  const { tree, head } = record;
  const path = tree.path(tree.node(node).parent).flatMap(step => edit(withoutHint(record, step)) ?? []);
  const image = picture(record, node);
  return {
    instruction: head.task.instruction,
    observation: { text: record.screen(node), ...(image === undefined ? {} : { image }) },
    path: path.map((step, at) =>
      pastStepOf(step, {
        screen: record.screen(step.id),
        text: record.text(step.id),
        image: at < path.length - picturesBefore ? undefined : picture(record, step.id),
      }),
    ),
  };
}

/** Pictures of a way come again and again: the last few are kept. */
const picturesKept = 2 * picturesBefore;

function createPictures({ attachment }: Pick<EpisodeSource, 'attachment'>): PictureOf {
  const kept = new Map<string, Uint8Array>();
  return (record, node) => {
    const shot = record.shot(node);
    if (shot === null) return undefined;
    const { hash, target: _target, ...kind } = shot;
    const data = kept.get(hash) ?? attachment(hash);
    if (data === null) throw missingPicture(hash);
    kept.delete(hash);
    kept.set(hash, data);
    if (kept.size > picturesKept) kept.delete(kept.keys().next().value as string);
    return { ...kind, data: data as Image['data'] };
  };
}

function missingPicture(hash: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `The picture ${hash} that a step names is not in the store.`,
    expected: 'Expected every picture that an episode names: put back a copy of the store.',
  });
}
