import { ownChecks } from '../../core/check-ids.ts';
import type { Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { UiNode } from '../../core/ui.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { answerVerdict } from '../../worlds/verdict/answer-verdict.ts';
import { sameAnswer } from '../../worlds/verdict/same-answer.ts';
import { createSearchIndex, type SearchIndex } from './bm25.ts';
import type { Corpus, CorpusDocument, CorpusQuestion } from './corpus.ts';
import { findTool, longestText, openTool, retrievalTools, searchTool } from './tools.ts';

/** What was searched for and found, what is open, and which documents were opened at any time. */
type CorpusState = {
  readonly query: string | null;
  readonly results: readonly number[];
  readonly listed: readonly number[];
  readonly open: number | null;
  readonly shown: readonly number[];
  readonly read: readonly number[];
};

const untouched: CorpusState = { query: null, results: [], listed: [], open: null, shown: [], read: [] };
const pageLength = 6;
const mostListed = 8;
const stepsForDocument = 6;
const spareSteps = 8;

/** Documents of the user's own with a search engine, and questions over them: one template for each split. */
export function createCorpusEnvironment(corpus: Corpus): StateEnvironment {
  const { name, documents, questions } = corpus;
  const index = createSearchIndex(documents.map(({ title, lines }) => [title, ...lines].join('\n')));
  const of = (split: string): readonly CorpusQuestion[] => questions.filter(one => one.split === split);
  const templates = (['train', 'test'] as const).flatMap((split): TemplateInfo[] => {
    const tasks = of(split).length;
    const about = 'A question over documents of your own.';
    return tasks === 0 ? [] : [{ id: `questions-${split}`, split, kind: 'feasible', about, tasks }];
  });
  return createRuleEnvironment<CorpusState>({
    id: `corpus-${name}`,
    title: `Corpus ${name} of ${documents.length} documents`,
    templates,
    tools: retrievalTools,
    draw(template, seed) {
      const own = of(template.replace('questions-', ''));
      const question = own[(((seed - 1) % own.length) + own.length) % own.length] as CorpusQuestion;
      return {
        instruction: `${question.question} Search the library, read the documents, and finish with the answer alone.`,
        parameters: { question: question.question },
        steps: spareSteps + stepsForDocument * question.documents.length,
      };
    },
    rules({ id, parameters }) {
      const question = questions.find(one => one.question === parameters['question']);
      if (question === undefined)
        throw invalidTask(
          `The question of task ${id} is not in the corpus ${name}.`,
          'Expected a task as it was made.',
        );
      const needed = question.documents.map(title => documents.findIndex(document => document.title === title));
      return corpusRules({ documents, index, question, needed });
    },
  });
}

interface OpenQuestion {
  readonly documents: readonly CorpusDocument[];
  readonly index: SearchIndex;
  readonly question: CorpusQuestion;
  readonly needed: readonly number[];
}

function corpusRules(open: OpenQuestion): Omit<Rules<CorpusState>, 'task' | 'digest'> {
  const { documents, question, needed } = open;
  return {
    initial: untouched,
    call(state, tool, input) {
      if (tool === searchTool.name) return searched(open, state, input);
      if (tool === openTool.name) return opened(documents, state, input);
      if (tool === findTool.name) return found(documents, state, input);
      const names = retrievalTools.map(({ name }) => name).join(', ');
      return refused(state, `There is no tool "${tool}". Expected one of: ${names}.`);
    },
    screen: state => drawn(documents, state),
    candidates: () => [],
    verdict: (state, ending) =>
      answerVerdict(ending, [
        ...needed.map((document, at) => ({
          id: `read-${at + 1}`,
          name: `"${documents[document]?.title}" was read`,
          pass: state.read.includes(document),
        })),
        { ...ownChecks.answer, pass: sameAnswer(ending?.answer ?? null, question.answer) },
      ]),
    guide(state) {
      const missing = needed.filter(document => !state.read.includes(document));
      const [first] = missing;
      const finish: Action = { kind: 'finish', answer: question.answer };
      const guide = { unmet: missing.length, unmetChecks: missing.length, clean: true, finish };
      return first === undefined ? guide : { ...guide, next: stepTo(documents, first, state) };
    },
  };
}

/** Search by title, then open. */
function stepTo(documents: readonly CorpusDocument[], document: number, { listed }: CorpusState): Action {
  if (listed.includes(document)) return { kind: 'call', tool: openTool.name, input: { document: `d${document}` } };
  const query = (documents[document]?.title ?? '').slice(0, longestText);
  return { kind: 'call', tool: searchTool.name, input: { query } };
}

function searched({ index, documents }: OpenQuestion, state: CorpusState, { query }: JsonObject): Move<CorpusState> {
  if (typeof query !== 'string' || query.trim() === '' || query.length > longestText)
    return refused(state, `Expected a query of 1 to ${longestText} characters.`);
  const results = index.search(query, mostListed).map(({ document }) => document);
  const result = results.map(document => ({ document: `d${document}`, title: documents[document]?.title ?? '' }));
  const listed = [...new Set([...state.listed, ...results])].toSorted((one, other) => one - other);
  return { state: { ...state, query, results, listed, open: null, shown: [] }, outcome: { applied: true, result } };
}

function opened(documents: readonly CorpusDocument[], state: CorpusState, input: JsonObject): Move<CorpusState> {
  const { document, line = 1 } = input;
  const place = typeof document === 'string' && /^d\d{1,7}$/.test(document) ? Number(document.slice(1)) : -1;
  if (!state.listed.includes(place)) return refused(state, `No search has listed ${String(document)}: search first.`);
  const lines = documents[place]?.lines ?? [];
  const from = Number(line) - 1;
  if (!Number.isSafeInteger(from) || from < 0 || from >= lines.length)
    return refused(state, `Document d${place} has ${lines.length} lines, so none at ${String(line)}.`);
  return showing(documents, { ...state, open: place, shown: lines.map((_, at) => at).slice(from, from + pageLength) });
}

function found(documents: readonly CorpusDocument[], state: CorpusState, { text }: JsonObject): Move<CorpusState> {
  if (typeof text !== 'string' || text.trim() === '') return refused(state, 'Expected a text to find.');
  if (state.open === null) return refused(state, 'No document is open: open one first.');
  const lines = documents[state.open]?.lines ?? [];
  const shown = lines.flatMap((line, at) => (line.toLowerCase().includes(text.toLowerCase()) ? [at] : []));
  if (shown.length === 0) return refused(state, `No line of d${state.open} contains "${text.slice(0, longestText)}".`);
  return showing(documents, { ...state, shown: shown.slice(0, pageLength) });
}

function showing(documents: readonly CorpusDocument[], state: CorpusState): Move<CorpusState> {
  const open = state.open as number;
  const { title, lines } = documents[open] as CorpusDocument;
  const read = [...new Set([...state.read, open])].toSorted((one, other) => one - other);
  const shown = state.shown.map(line => ({ line: line + 1, text: lines[line] ?? '' }));
  return { state: { ...state, read }, outcome: { applied: true, result: { title, lines: lines.length, shown } } };
}

function refused(state: CorpusState, message: string): Move<CorpusState> {
  return { state, outcome: refusal('not-allowed', message) };
}

function drawn(documents: readonly CorpusDocument[], { query, results, open, shown }: CorpusState): UiNode {
  const item = (name: string): UiNode => ({ role: 'listitem', name });
  const text = (name: string): UiNode => ({ role: 'text', name });
  const list: UiNode[] =
    results.length === 0
      ? []
      : [{ role: 'list', name: 'Results', children: results.map(at => item(`d${at}: ${documents[at]?.title ?? ''}`)) }];
  const page =
    open === null
      ? []
      : [text(`d${open}: ${documents[open]?.title ?? ''}`), ...shown.map(at => text(documents[open]?.lines[at] ?? ''))];
  const searchedFor = query === null ? 'Nothing was searched for yet.' : `Searched for: ${query}`;
  return { role: 'page', name: 'Library', children: [text(searchedFor), ...list, ...page] };
}

/** Who answers without reading. */
export const corpusBaselines = [
  {
    name: 'finish without an answer',
    play(session: StateSession) {
      session.step({ kind: 'finish', answer: 'unknown' });
    },
  },
];
