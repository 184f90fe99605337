import { hash } from 'node:crypto';
import { existsSync, linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { causeText, EspalierError, invalidOption } from '../../core/errors.ts';
import { personKey } from '../../core/naming/person-key.ts';
import { parseRecord } from '../../core/records.ts';
import { answerSchema, personSchema } from '../agents/reviews/answer-schema.ts';
import type { GivenAnswer } from '../agents/reviews/api-reviews.ts';
import type { AskedQuestion, GivenOpinion, ReviewQueue } from '../agents/reviews/contract.ts';
import { readJson } from '../../modules/read-file.ts';
import { writeWhole } from '../folder/folder.ts';
import { makeFolder } from '../../modules/make-folder.ts';

const questionEnd = '.question.json';
const questionName = /^([0-9a-f]{16})\.question\.json$/;

const reviewedStep = z.strictObject({
  text: z.string(),
  thought: z.string().nullable(),
  applied: z.boolean(),
  screen: z.string(),
});
const asked = {
  episode: z.string(),
  instruction: z.string(),
  history: z.array(z.string()).readonly(),
  screen: z.string(),
  opinions: z.int().positive(),
};
const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...asked,
    kind: z.literal('review'),
    steps: z.array(reviewedStep).readonly(),
    passes: z.boolean().nullable(),
  }),
  z.strictObject({ ...asked, kind: z.literal('correct'), reason: z.string(), rejected: z.string().nullable() }),
]);
const fileSchema = z.strictObject({ at: z.number(), question: questionSchema });
const opinionSchema = z.strictObject({ person: personSchema, answer: answerSchema });

function reviewsFolder(folder: string): string {
  return join(folder, 'reviews');
}

export function openReviewQueue(folder: string, now: () => number): ReviewQueue {
  const place = reviewsFolder(folder);
  const { read, ids, opinions, opinionPaths, questionPath, problems } = createReviewFiles(place);
  return {
    ask(question) {
      const id = hash('sha256', JSON.stringify(question)).slice(0, 16);
      if (!existsSync(questionPath(id))) writeWhole(questionPath(id), JSON.stringify({ at: now(), question }));
      return id;
    },
    ids() {
      const found = ids().filter(problems.isReadable);
      return found.toSorted((one, other) => read(one).at - read(other).at || (one < other ? -1 : 1));
    },
    problems: problems.all,
    question: id => read(id).question,
    opinions,
    answer(id, opinion) {
      checkAnswer(read(id).question, opinion.answer);
      const isSame = ({ person }: GivenOpinion): boolean => personKey(person) === personKey(opinion.person);
      if (opinions(id).some(isSame)) throw answeredBefore(opinion.person);
      addOpinion(place, id, opinion);
    },
    clear() {
      for (const id of ids()) if (opinionPaths(id).length === 0) rmSync(questionPath(id));
    },
  };
}

/** The files of a queue. Neither questions nor answers change once they are written. */
function createReviewFiles(place: string) {
  const names = (): string[] => (existsSync(place) ? readdirSync(place) : []);
  const questionPath = (id: string): string => join(place, `${id}${questionEnd}`);
  const questions = new Map<string, z.infer<typeof fileSchema>>();
  const answers = new Map<string, GivenOpinion>();
  const { tryRead, all } = createProblems();
  const read = (id: string): z.infer<typeof fileSchema> => {
    const known = questions.get(id);
    if (known !== undefined) return known;
    if (!/^[0-9a-f]{16}$/.test(id) || !existsSync(questionPath(id))) throw noQuestion(id);
    const found = parseRecord(fileSchema, readJson(questionPath(id)), {
      what: `question in ${questionPath(id)}`,
      code: 'corrupt-record',
    });
    questions.set(id, found);
    return found;
  };
  const readAnswer = (path: string): GivenOpinion => {
    const kind = { what: `answer in ${path}`, code: 'corrupt-record' } as const;
    const found = answers.get(path) ?? parseRecord(opinionSchema, readJson(path), kind);
    answers.set(path, found);
    return found;
  };
  const opinionPaths = (id: string): string[] =>
    names()
      .filter(name => name.startsWith(`${id}.answer-`) && name.endsWith('.json'))
      .toSorted()
      .map(name => join(place, name));
  return {
    read,
    questionPath,
    opinionPaths,
    ids: (): string[] => names().flatMap(name => questionName.exec(name)?.[1] ?? []),
    opinions(id: string): GivenOpinion[] {
      const found = opinionPaths(id).flatMap(path => tryRead(path, () => readAnswer(path)) ?? []);
      return [...Map.groupBy(found, ({ person }) => personKey(person)).values()].flatMap(([first]) => first ?? []);
    },
    problems: { all, isReadable: (id: string) => tryRead(questionPath(id), () => read(id)) !== null },
  };
}

interface FileProblems {
  /** Null when the file cannot be read; why is kept. */
  tryRead<T>(path: string, work: () => T): T | null;
  /** Of the files that are still there. */
  all(): string[];
}

/** A file that cannot be read keeps nobody from the others. */
function createProblems(): FileProblems {
  const known = new Map<string, string>();
  return {
    tryRead(path, work) {
      try {
        const found = work();
        known.delete(path);
        return found;
      } catch (cause) {
        known.set(path, causeText(cause));
        return null;
      }
    },
    all: () => [...known].filter(([path]) => existsSync(path)).map(([, problem]) => problem),
  };
}

/** The next free number: two people who answer at once both get one, as a link is made only where there is no file. */
function addOpinion(place: string, id: string, opinion: GivenOpinion): void {
  makeFolder(place);
  const partial = join(place, `${id}.${hash('sha256', opinion.person).slice(0, 16)}.partial`);
  writeFileSync(partial, JSON.stringify(opinion), { flush: true });
  try {
    for (let number = 1; ; number++) {
      try {
        linkSync(partial, join(place, `${id}.answer-${String(number).padStart(4, '0')}.json`));
        return;
      } catch (cause) {
        if ((cause as { code?: string }).code !== 'EEXIST') throw cause;
      }
    }
  } finally {
    rmSync(partial, { force: true });
  }
}

function checkAnswer(question: AskedQuestion, answer: GivenAnswer): void {
  if (question.kind !== answer.kind) throw wrongAnswer(`a ${answer.kind}`, `a ${question.kind}`);
  if (question.kind !== 'review' || answer.kind !== 'review' || answer.accept) return;
  if (answer.at >= question.steps.length)
    throw wrongAnswer(`step ${answer.at}`, `a step from 0 to ${question.steps.length - 1}`);
}

function noQuestion(id: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `There is no question ${JSON.stringify(id.slice(0, 40))} any more.`,
    expected: 'Choose another one from the list: the run may have been started again.',
  });
}

function wrongAnswer(given: string, wanted: string): EspalierError {
  return invalidOption(`The answer is about ${given}.`, `Expected ${wanted}.`);
}

function answeredBefore(person: string): EspalierError {
  return invalidOption(
    `${person} has answered this question already.`,
    'One person gives one opinion. Choose another question.',
  );
}
