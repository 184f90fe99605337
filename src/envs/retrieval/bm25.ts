/** A document that a query found. */
interface Hit {
  readonly document: number;
  readonly score: number;
}

export interface SearchIndex {
  /** Documents that hold words of the query, best first; of equal ones the first document. */
  search(query: string, most: number): readonly Hit[];
  readonly documents: number;
}

/** Saturation of repeated words, and how much the length of a document counts: the usual values. */
const k1 = 1.2;
const b = 0.75;
const longestQuery = 1000;

/** Lower-case words and numbers. */
export function wordsIn(text: string): string[] {
  const lower = text.toLowerCase();
  // Most texts need no table of Unicode, which takes five times as long.
  return lower.match(isAscii.test(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

const isAscii = /^[\n -~]*$/;

/** Where a word stands: documents and how often, each list by document. */
interface Postings {
  readonly documents: Uint32Array;
  /** The part of the score that does not depend on the query. */
  readonly weights: Float32Array;
  /** The largest of the weights. */
  readonly most: number;
}

/** An index of texts by BM25. Words that stand in most documents are left out of queries that have others. */
export function createSearchIndex(texts: Iterable<string>): SearchIndex {
  const { counts, lengths } = counted(texts);
  const size = lengths.length;
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, size);
  const postings = new Map<string, Postings>();
  for (const [word, { documents, times }] of counts) {
    const idf = Math.log(1 + (size - documents.length + 0.5) / (documents.length + 0.5));
    const weights = Float32Array.from(documents, (document, at) => {
      const often = times[at] as number;
      const norm = k1 * (1 - b + (b * (lengths[document] as number)) / meanLength);
      return (idf * often * (k1 + 1)) / (often + norm);
    });
    const largest = weights.reduce((highest, weight) => Math.max(highest, weight), 0);
    postings.set(word, { documents: Uint32Array.from(documents), weights, most: largest });
  }
  const scores = new Float32Array(size);
  return {
    documents: size,
    search(query, most) {
      const words = [...new Set(wordsIn(query.slice(0, longestQuery)))];
      const found = words.flatMap(word => postings.get(word) ?? []);
      const rare = found.filter(({ documents }) => documents.length <= size / 2);
      return best(rare.length > 0 ? rare : found, scores, most);
    },
  };
}

interface Counted {
  readonly counts: ReadonlyMap<string, { readonly documents: number[]; readonly times: number[] }>;
  readonly lengths: readonly number[];
}

function counted(texts: Iterable<string>): Counted {
  const counts = new Map<string, { documents: number[]; times: number[] }>();
  const lengths: number[] = [];
  for (const text of texts) {
    const document = lengths.length;
    const words = wordsIn(text);
    lengths.push(words.length);
    for (const word of words) {
      let entry = counts.get(word);
      if (entry === undefined) {
        entry = { documents: [], times: [] };
        counts.set(word, entry);
      }
      const last = entry.documents.length - 1;
      if (entry.documents[last] === document) entry.times[last] = (entry.times[last] as number) + 1;
      else {
        entry.documents.push(document);
        entry.times.push(1);
      }
    }
  }
  return { counts, lengths };
}

/**
 * Adds up the scores of the documents, rare words first, and leaves the table of scores at zero again. Once the words
 * that are left cannot bring a new document among the best, they are only looked up for the documents at hand.
 */
function best(lists: readonly Postings[], scores: Float32Array, most: number): Hit[] {
  const byLength = lists.toSorted((one, other) => one.documents.length - other.documents.length);
  const touched: number[] = [];
  let left = byLength.reduce((sum, list) => sum + list.most, 0);
  let isComplete = false;
  for (const list of byLength) {
    isComplete ||= touched.length >= most && left < (topOf(touched, scores, most).at(-1) as Hit).score;
    if (isComplete) addToTouched(list, touched, scores);
    else addAll(list, touched, scores);
    left -= list.most;
  }
  const top = topOf(touched, scores, most);
  for (const document of touched) scores[document] = 0;
  return top;
}

function addAll({ documents, weights }: Postings, touched: number[], scores: Float32Array): void {
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] as number;
    if (scores[document] === 0) touched.push(document);
    scores[document] = (scores[document] as number) + (weights[at] as number);
  }
}

function addToTouched({ documents, weights }: Postings, touched: readonly number[], scores: Float32Array): void {
  for (const document of touched) {
    let [low, high] = [0, documents.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((documents[middle] as number) < document) low = middle + 1;
      else high = middle;
    }
    if (documents[low] === document) scores[document] = (scores[document] as number) + (weights[low] as number);
  }
}

function topOf(touched: readonly number[], scores: Float32Array, most: number): Hit[] {
  const top: Hit[] = [];
  for (const document of touched) {
    const hit = { document, score: scores[document] as number };
    const last = top.at(-1);
    if (top.length >= most && last !== undefined && !isBefore(hit, last)) continue;
    const place = top.findIndex(other => isBefore(hit, other));
    top.splice(place < 0 ? top.length : place, 0, hit);
    if (top.length > most) top.pop();
  }
  return top;
}

function isBefore(one: Hit, other: Hit): boolean {
  return one.score > other.score || (one.score === other.score && one.document < other.document);
}
