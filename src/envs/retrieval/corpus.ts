import { basename } from 'node:path';
import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { describeIssues } from '../../core/records.ts';
import { readText } from '../../modules/read-file.ts';

const documentSchema = z.strictObject({ title: z.string().min(1).max(300), text: z.string().min(1) });
const questionSchema = z.strictObject({
  question: z.string().min(1).max(2000),
  answer: z.string().min(1).max(300),
  /** Titles of the documents that have to be read. */
  documents: z.array(z.string().min(1)).min(1).readonly(),
  split: z.enum(['train', 'test']).default('train'),
});
export type CorpusQuestion = z.infer<typeof questionSchema>;

export interface CorpusDocument {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Documents of the user's own, and questions over them. */
export interface Corpus {
  readonly name: string;
  readonly documents: readonly CorpusDocument[];
  readonly questions: readonly CorpusQuestion[];
}

const largestCorpus = 256 * 2 ** 20;

/** Reads a file with a line of JSON for each document and for each question. */
export function readCorpus(path: string): Corpus {
  const documents: CorpusDocument[] = [];
  const questions: CorpusQuestion[] = [];
  for (const [at, line] of readText(path, largestCorpus).split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = jsonIn(line);
    const isQuestion = typeof value === 'object' && value !== null && 'question' in value;
    const parsed = (isQuestion ? questionSchema : documentSchema).safeParse(value);
    if (!parsed.success)
      throw wrong(path, `line ${at + 1} is neither a document nor a question: ${describeIssues(parsed.error)}`);
    if ('question' in parsed.data) questions.push(parsed.data);
    else documents.push({ title: parsed.data.title, lines: linesOf(parsed.data.text) });
  }
  if (documents.length === 0 || questions.length === 0)
    throw wrong(path, `it has ${documents.length} documents and ${questions.length} questions`);
  const titles = new Set(documents.map(({ title }) => title));
  if (titles.size < documents.length) throw wrong(path, 'two documents have the same title');
  for (const { question, documents: needed } of questions) {
    const missing = needed.find(title => !titles.has(title));
    if (missing !== undefined) throw wrong(path, `the question "${question}" needs "${missing}", which is no document`);
  }
  return {
    name: basename(path)
      .replace(/\.\w+$/, '')
      .replaceAll(/[^\w-]+/g, '-'),
    documents,
    questions,
  };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function wrong(path: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-task',
    message: `The corpus ${path} cannot be used: ${why}.`,
    expected:
      'Expected lines of JSON: {"title", "text"} for documents, {"question", "answer", "documents": [titles]} for questions.',
  });
}
