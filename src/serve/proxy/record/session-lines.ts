import type { AnswerLine, AskLine, Line, RecordedAttempt, RecordedCall, StoredLine } from './call-record.ts';
import { createPieceReader, type Pieces, type PieceWriter } from './pieces.ts';
import type { FoundLine } from './session-file.ts';

/** A line as it is kept. */
export function packLine(line: Line, writer: PieceWriter): StoredLine {
  if (line.kind === 'ask') return { ...line, body: writer.write(line.body) };
  if (line.kind !== 'answer' || line.reply === null) return line;
  const { tokens } = line.reply;
  if (tokens === null || tokens.prompt === null) return line;
  // Every prompt repeats the one before, in tokens too.
  const prompt = writer.write(tokens.prompt.join(','));
  return { ...line, reply: { ...line.reply, tokens: { ...tokens, prompt: null } }, prompt };
}

/** The pieces that a line is made of; null when it has none. */
export function piecesOf(line: StoredLine): Pieces | null {
  if (line.kind === 'ask') return typeof line.body === 'string' ? null : line.body;
  return line.kind === 'answer' ? (line.prompt ?? null) : null;
}

/** A line as it was; null when pieces of it are in lines that were lost. */
function unpackLine(line: StoredLine, read: (pieces: Pieces) => string | null): Line | null {
  if (line.kind === 'ask') {
    const body = typeof line.body === 'string' ? line.body : read(line.body);
    return body === null ? null : { ...line, body };
  }
  if (line.kind !== 'answer') return line;
  const { prompt: pieces, ...answer } = line;
  if (pieces === undefined) return answer;
  const text = read(pieces);
  if (text === null || answer.reply === null) return null;
  const prompt = text === '' ? [] : text.split(',').map(Number);
  const tokens = { completion: null, logprobs: null, ...answer.reply.tokens, prompt };
  return { ...answer, reply: { ...answer.reply, tokens } };
}

/** The attempts of one session, with what is missing in each. */
export function attemptsOf(lines: Iterable<FoundLine>, session: string): RecordedAttempt[] {
  const attempts = new Map<number, Reading>();
  const problems: string[] = [];
  const readingOf = (attempt: number): Reading => {
    const known = attempts.get(attempt) ?? createReading();
    attempts.set(attempt, known);
    return known;
  };
  for (const found of lines) {
    if ('problem' in found) problems.push(found.problem);
    // Where capitals do not tell files apart, two sessions may share one.
    else if (found.line.session === session) readingOf(found.line.attempt).add(found.line);
  }
  return [...attempts]
    .toSorted(([left], [right]) => left - right)
    .map(([attempt, reading]) => ({ session, attempt, ...reading.result(problems) }));
}

/** Notes of one attempt that are kept. */
const mostNotes = 20;

function firstOf(notes: readonly string[]): readonly string[] {
  const more = notes.length - mostNotes;
  return more <= 0 ? notes : [...notes.slice(0, mostNotes), `and ${more} more`];
}

interface Reading {
  add(line: StoredLine): void;
  result(problems: readonly string[]): Pick<RecordedAttempt, 'calls' | 'ruling' | 'notes'>;
}

function createReading(): Reading {
  const read = createPieceReader();
  const asks = new Map<number, AskLine>();
  const answers = new Map<number, AnswerLine>();
  const notes: string[] = [];
  let submitted: RecordedAttempt['ruling'] = null;
  return {
    add(stored) {
      const line = unpackLine(stored, read);
      if (line === null) notes.push(`a line of ${stored.kind} needs lines that were lost`);
      else if (line.kind === 'ask') asks.set(line.index, line);
      else if (line.kind === 'answer') answers.set(line.index, line);
      else if (line.kind === 'note') notes.push(line.text);
      else submitted ??= { pass: line.pass, ...(line.checks === undefined ? {} : { checks: line.checks }) };
    },
    result: problems => ({
      calls: [...asks.values()]
        .toSorted((left, right) => left.index - right.index)
        .map((ask): RecordedCall => ({ ask, answer: answers.get(ask.index) ?? null })),
      ruling: submitted,
      notes: firstOf([...problems, ...notes]),
    }),
  };
}
