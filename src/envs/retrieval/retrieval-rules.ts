import { ownChecks } from '../../core/check-ids.ts';
import type { Action } from '../../core/action.ts';
import type { Candidate } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { sameAnswer } from '../../worlds/verdict/same-answer.ts';
import type { SearchIndex } from './bm25.ts';
import type { Document, Library, Line } from './documents.ts';
import { keywordsIn, nameOf, namesBefore, namesIn, type Derivation, type Question } from './question.ts';
import { listed } from './sample-question.ts';
import { findTool, longestText, openTool, searchTool, retrievalTools } from './tools.ts';

/** What differs from one moment to another. The library and its index are shared. */
export type RetrievalState = {
  readonly query: string | null;
  /** Documents that the last search listed. */
  readonly results: readonly number[];
  /** Documents that any search listed, in ascending order: only they can be opened. */
  readonly listed: readonly number[];
  /** The open document, and those of its lines that are shown. */
  readonly open: number | null;
  readonly shown: readonly number[];
  /** Lines with facts that were shown at any time, as `document:line`, sorted. */
  readonly read: readonly string[];
};

/** A library that can be searched. */
export interface RetrievalPlace {
  readonly library: Library;
  readonly index: SearchIndex;
  /** Entities by name. */
  readonly places: ReadonlyMap<string, number>;
}

export interface OpenSearch extends RetrievalPlace {
  readonly question: Question;
  readonly derivation: Derivation;
}

const pageLength = 6;
const untouched: RetrievalState = { query: null, results: [], listed: [], open: null, shown: [], read: [] };

/** The rules of one question: search, open and read documents, then finish with the answer. */
export function retrievalRules(search: OpenSearch): Omit<Rules<RetrievalState>, 'task' | 'digest'> {
  const evidence = evidenceOf(search);
  const answer = nameOf(search.library.graph, search.derivation.answer);
  return {
    initial: untouched,
    call(state, tool, input) {
      if (tool === searchTool.name) return searched(search, state, input);
      if (tool === openTool.name) return opened(search, state, input);
      if (tool === findTool.name) return found(search, state, input);
      const names = retrievalTools.map(({ name }) => name).join(', ');
      return refused(state, 'unknown-command', `There is no tool "${tool}". Expected one of: ${names}.`);
    },
    screen: state => drawn(search, state),
    candidates: state => candidatesIn(search, state),
    verdict: (state, ending) => verdictOf(evidence, answer, { state, ending }),
    guide(state) {
      const missing = evidence.filter(({ key }) => !state.read.includes(key));
      const [first] = missing;
      const next = first === undefined ? {} : { next: stepTo(search, first, state) };
      return {
        unmet: missing.length,
        unmetChecks: missing.length,
        clean: true,
        finish: { kind: 'finish', answer },
        ...next,
      };
    },
  };
}

/** Where a fact stands that the question needs. */
interface Evidence {
  readonly document: number;
  readonly key: string;
  readonly title: string;
  /** What to search for, knowing the facts before. */
  readonly queries: readonly string[];
}

function evidenceOf({ library, question, derivation }: OpenSearch): Evidence[] {
  const { graph } = library;
  const known = namesBefore(graph, question, derivation);
  return derivation.facts.map((fact, at) => {
    const { title, lines } = library.document(fact.subject);
    const line = lines.findIndex(({ fact: said }) => said === fact);
    const name = known[at] as string;
    const queries = [name, `${name} ${fact.relation.keyword}`];
    return { document: fact.subject, key: `${fact.subject}:${line}`, title, queries };
  });
}

/** The next step to a fact for someone who knows what was read before it: search by name, open, read on. */
function stepTo({ index }: RetrievalPlace, { document, queries }: Evidence, state: RetrievalState): Action {
  const call = (tool: string, input: JsonObject): Action => ({ kind: 'call', tool, input });
  if (state.open === document && state.shown.length > 0)
    return call(openTool.name, { document: `d${document}`, line: lineAfter(state.shown) });
  if (state.listed.includes(document)) return call(openTool.name, { document: `d${document}` });
  const query = queries.find(words => index.search(words, listed).some(hit => hit.document === document));
  return call(searchTool.name, { query: query ?? (queries[0] as string) });
}

/** The number of the line after those shown, or the first: lines that `find` shows may lie anywhere. */
function lineAfter(shown: readonly number[]): number {
  const isPage = shown.every((line, at) => at === 0 || line === (shown[at - 1] as number) + 1);
  return isPage && shown.length === pageLength ? (shown.at(-1) as number) + 2 : 1;
}

function searched({ index, library }: RetrievalPlace, state: RetrievalState, input: JsonObject): Move<RetrievalState> {
  const query = textIn(input, 'query');
  if (query === null) return invalidInput(state, '{"query": "<text>"}');
  const results = index.search(query, listed).map(({ document }) => document);
  const result = results.map(document => ({ document: `d${document}`, title: library.document(document).title }));
  const known = [...new Set([...state.listed, ...results])].toSorted((one, other) => one - other);
  const next = { ...state, query, results, listed: known, open: null, shown: [] };
  return { state: next, outcome: { applied: true, result } };
}

function opened({ library }: RetrievalPlace, state: RetrievalState, input: JsonObject): Move<RetrievalState> {
  const { document, line = 1 } = input;
  const isKnown = Object.keys(input).every(key => key === 'document' || key === 'line');
  if (typeof document !== 'string' || !Number.isSafeInteger(line) || Number(line) < 1 || !isKnown)
    return invalidInput(state, '{"document": "d12", "line": 1}');
  const place = /^d\d{1,7}$/.test(document) ? Number(document.slice(1)) : -1;
  if (!state.listed.includes(place))
    return refused(state, 'unknown-document', `No search has listed ${document}: search first.`);
  const { lines } = library.document(place);
  if (Number(line) > lines.length)
    return refused(
      state,
      'unknown-line',
      `Document ${document} has ${lines.length} lines, so none at ${String(line)}.`,
    );
  const from = Number(line) - 1;
  const shown = lines.map((_, at) => at).slice(from, from + pageLength);
  return showing(library, { ...state, open: place, shown });
}

function found({ library }: RetrievalPlace, state: RetrievalState, input: JsonObject): Move<RetrievalState> {
  const text = textIn(input, 'text');
  if (text === null) return invalidInput(state, '{"text": "<text>"}');
  if (state.open === null) return refused(state, 'nothing-open', 'No document is open: open one first.');
  const { lines } = library.document(state.open);
  const shown = lines.flatMap((line, at) => (line.text.toLowerCase().includes(text.toLowerCase()) ? [at] : []));
  if (shown.length === 0) return refused(state, 'not-found', `No line of d${state.open} contains "${text}".`);
  return showing(library, { ...state, shown: shown.slice(0, pageLength) });
}

function showing(library: Library, state: RetrievalState): Move<RetrievalState> {
  const document = library.document(state.open as number);
  const facts = state.shown
    .filter(line => (document.lines[line] as Line).fact !== null)
    .map(line => `${state.open}:${line}`);
  const read = [...new Set([...state.read, ...facts])].toSorted();
  const result = {
    title: document.title,
    lines: document.lines.length,
    shown: state.shown.map(line => ({ line: line + 1, text: document.lines[line]?.text ?? '' })),
  };
  return { state: { ...state, read }, outcome: { applied: true, result: result as Json } };
}

function textIn(input: JsonObject, member: string): string | null {
  const text = input[member];
  const isAlone = Object.keys(input).length === 1;
  return isAlone && typeof text === 'string' && text.trim() !== '' && text.length <= longestText ? text : null;
}

function invalidInput(state: RetrievalState, form: string): Move<RetrievalState> {
  const message = `Expected the input ${form}, with at most ${longestText} characters of text.`;
  return refused(state, 'invalid-action', message);
}

function refused(state: RetrievalState, code: string, message: string): Move<RetrievalState> {
  return { state, outcome: refusal(code, message) };
}

/** Every document of the way must have been read: an answer that was guessed does not pass. */
function verdictOf(
  evidence: readonly Evidence[],
  answer: string,
  { state, ending }: { readonly state: RetrievalState; readonly ending: Ending | null },
): Verdict {
  const given = ending?.answer ?? null;
  const checks: CheckResult[] = evidence.map(({ key, title }, index) => ({
    id: `read-${index + 1}`,
    name: `the fact in "${title}" was read`,
    pass: state.read.includes(key),
  }));
  checks.push({ ...ownChecks.answer, pass: sameAnswer(given, answer) });
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const held = checks.filter(({ pass }) => pass).length;
  return {
    pass: held === checks.length,
    checks,
    progress: held / checks.length,
    clean: true,
    evidence: { sideEffects: [], answer: given },
  };
}

function drawn({ library }: RetrievalPlace, { query, results, open, shown }: RetrievalState): UiNode {
  const children: UiNode[] = [];
  if (query !== null)
    children.push({
      role: 'list',
      name: `Documents found for "${query}"`,
      children: results.map(place => ({ role: 'listitem', name: `d${place}: ${library.document(place).title}` })),
    });
  if (open !== null) children.push(page(library.document(open), open, shown));
  if (children.length === 0) children.push({ role: 'text', name: `A library of ${library.size} documents.` });
  return { role: 'page', name: 'Library', children };
}

function page({ title, lines }: Document, place: number, shown: readonly number[]): UiNode {
  return {
    role: 'region',
    name: `d${place}: ${title} (${lines.length} lines)`,
    children: shown.map(line => ({ role: 'text', name: `${line + 1}: ${lines[line]?.text ?? ''}` })),
  };
}

const mostNames = 10;

/** What an agent may try with what it sees: open what is listed, read on, search for names with words of the question. */
function candidatesIn(search: OpenSearch, { results, open, shown }: RetrievalState): Candidate[] {
  const { library, question } = search;
  const call = (tool: string, input: JsonObject): Candidate => ({ action: { kind: 'call', tool, input } });
  const candidates = results.map(place => call(openTool.name, { document: `d${place}` }));
  if (open !== null) {
    const { lines } = library.document(open);
    const next = (shown.at(-1) ?? 0) + 1;
    if (next < lines.length) candidates.push(call(openTool.name, { document: `d${open}`, line: next + 1 }));
    candidates.push(...keywordsIn(question).map(word => call(findTool.name, { text: word })));
  }
  const names = new Set([...namesIn(question), ...namesOnPage(search, open, shown)]);
  for (const name of [...names].slice(0, mostNames))
    for (const query of [name, ...keywordsIn(question).map(word => `${name} ${word}`)])
      candidates.push(call(searchTool.name, { query }));
  return candidates;
}

const capitalised = /\p{Lu}\p{L}+(?: (?:of )?\p{Lu}\p{L}+)*/gu;

/** Words with a capital letter that are titles of documents. */
function namesOnPage({ library, places }: RetrievalPlace, open: number | null, shown: readonly number[]): string[] {
  if (open === null) return [];
  const { title, lines } = library.document(open);
  return [title, ...shown.map(line => lines[line]?.text ?? '')]
    .flatMap(text => text.match(capitalised) ?? [])
    .filter(name => places.has(name));
}
