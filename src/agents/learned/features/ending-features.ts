import type { Choice } from '../reading/choices.ts';
import type { Scene } from './scene.ts';
import { mixed, textHash, type Sink } from './sink.ts';
import { masked, type StateFeatures } from '../reading/situation.ts';
import { wordsOf } from '../reading/words.ts';

/** That a task is done shows in what is left to do; that it cannot be done, in what stands in the way. */
export function writeFinish(sink: Sink, how: 'done' | 'infeasible', scene: Scene): void {
  const {
    moment: features,
    last,
    lastKind,
    pending,
    openVerbs,
    isEmptyList,
    refused,
    linkToPending,
    fitsPending,
  } = scene;
  const asks = Number(features.asks);
  const isPending = Number(pending > 0);
  const end = Number(how === 'done');
  sink.general('finish', end, scene.obstacle);
  sink.general('finish obstacle', end, scene.obstacle, isPending, lastKind);
  sink.general('finish moment', end, Number(scene.steps === 0), asks, refused, isEmptyList);
  if (how === 'done') {
    sink.general('finish pending', pending, asks);
    sink.general('finish asked', lastKind, scene.lastAsked, isPending);
    sink.general('finish asked texts', lastKind, scene.lastAsked, scene.untouchedTexts);
    sink.general('finish undone count', scene.undoneCount, asks);
    sink.general('finish undone last', scene.undoneCount, scene.lastAsked, lastKind);
    sink.general('finish texts', scene.untouchedTexts, pending, asks);
    sink.general('finish verbs', openVerbs, pending);
    sink.general('finish best', Number(scene.bestFresh > 0), linkToPending, fitsPending, isPending);
    sink.general('finish dialog', Number(features.hasDialog));
    sink.general('finish start', Number(scene.steps === 0));
  }
  const { count, steps, current } = features.progress;
  const isLast = Number(current === count - 1) + 2 * Number((steps.at(-1) ?? 0) > 0);
  sink.general('finish question', end, textHash(features.question.wants));
  sink.general('finish searched', end, scene.searches, isEmptyList, scene.isKin);
  sink.general('finish notice', end, scene.notice, isPending, lastKind);
  sink.general('finish notice left', end, scene.notice, scene.undoneCount);
  sink.general('finish unsaved', end, scene.unsaved, Number(features.hasDialog));
  sink.fact('finish', end);
  sink.fact('finish last clause', isLast);
  sink.worded('finish last', end, last, isPending);
  sink.worded('finish page', end, scene.page, pending);
  sink.wordedEach('finish notice', scene.notices, end);
  sink.wordedEach('finish frame last', scene.frame, mixed(end, last));
  if (how === 'infeasible') return;
  sink.wordedEach('finish frame', scene.frame, end);
  sink.wordedEach('finish frame pending', scene.frame, mixed(end, pending));
  sink.wordedEach('finish undone', scene.undone, end);
}

export function writeAnswer(sink: Sink, { answer }: Extract<Choice, { kind: 'answer' }>, scene: Scene): void {
  const { moment: features, last, pending, page, frame } = scene;
  const { element, part, rowNumber } = answer;
  const { isMention, isLikeMention, inRow } = kinship(answer, features);
  const place = Math.min(rowNumber, 1);
  const labelTold = Number(features.told.has(wordsOf(answer.label)[0] ?? ''));
  const nounTold = Number(features.told.has(wordsOf(answer.noun)[0] ?? ''));
  const shape = textHash(answer.shape);
  const role = textHash(element.role);
  const label = textHash(answer.label);
  const noun = textHash(answer.noun);
  sink.general('answer', shape, isMention, isLikeMention);
  sink.general('answer row', shape, inRow, place);
  sink.general('answer told', shape, labelTold, nounTold, place);
  sink.general('answer pending', pending, inRow, isMention);
  sink.general('answer role', shape, role, place);
  sink.general('answer steps', scene.steps, pending, scene.linkToPending);
  sink.general('answer in list', shape, mixed(role, place), inRow, nounTold);
  const { wants, about } = features.question;
  const wanted = textHash(wants);
  const named = bucketed(about, [...wordsOf(answer.label), ...wordsOf(answer.noun), ...answer.field, ...element.words]);
  const aboutIt = Number(features.opened.length > 0);
  sink.general('answer wants', shape, wanted, isMention);
  sink.general('answer named', shape, named, inRow, aboutIt);
  sink.general('answer named wants', wanted, named, place);
  const called = bucketed(about, answer.field);
  sink.general('answer called', called, inRow, aboutIt, wanted);
  sink.fact('answer called', called);
  sink.fact('answer about', aboutIt);
  sink.general('answer about', shape, aboutIt, inRow, Number(pending > 0));
  sink.fact('answer shape', shape);
  sink.fact('answer mention', isMention + 2 * isLikeMention);
  sink.fact('answer row', inRow);
  sink.fact('answer place', place);
  sink.fact('answer told', labelTold + 2 * nounTold);
  sink.fact('answer named', named);
  sink.fact('answer role', role);
  sink.fact('answer part', part);
  sink.worded('answer page', shape, role, part, page);
  sink.worded('answer label', shape, label, role);
  sink.worded('answer noun', shape, noun, role);
  sink.worded('answer last', shape, last, place);
  sink.wordedEach('answer frame label', frame, mixed(shape, label));
  sink.wordedEach('answer frame role', frame, mixed(mixed(mixed(shape, role), part), place));
  sink.wordedEach('answer frame row', frame, mixed(mixed(shape, inRow), place));
}

/** How many of the words that are asked for stand there. */
function bucketed(wanted: readonly string[], words: readonly string[]): number {
  const found = wanted.filter(word => words.includes(word)).length;
  return found === 0 ? 0 : found === wanted.length ? 3 : found;
}

type Answer = Extract<Choice, { kind: 'answer' }>['answer'];

/** How an answer stands to what the instruction mentions. */
function kinship(
  { text, element }: Answer,
  { mentions }: StateFeatures,
): Record<'isMention' | 'isLikeMention' | 'inRow', number> {
  const outline = masked(text);
  const { row } = element;
  return {
    isMention: Number(mentions.some(mention => mention.text === text)),
    isLikeMention: Number(outline !== text && mentions.some(mention => masked(mention.text) === outline)),
    inRow: Number(row !== '' && mentions.some(mention => row.includes(mention.text))),
  };
}
