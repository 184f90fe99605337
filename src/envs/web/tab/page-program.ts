import { createHash, randomBytes } from 'node:crypto';
import { EspalierError } from '../../../core/errors.ts';
import type { BrowserEvent } from '../browser/connection.ts';
import type { EvaluateOptions, Page } from '../browser/page.ts';
import { loadBundle } from './page-bundle.ts';
import { realClockWord, type ProgramOptions } from '../page-program/page-records.ts';

/** A value in an expression: read from JSON by our program, so that it is no object of the page's realm. */
export function given(value: unknown): string {
  return value === undefined ? 'undefined' : `program.given(${JSON.stringify(JSON.stringify(value))})`;
}

/** A page with our program in it. No name in the page leads to the program: only Node holds it. */
export interface ProgramPage extends Page {
  /** The value of an expression in which `program` is our program; a promise is waited for. */
  ask<T>(expression: string, options?: EvaluateOptions): Promise<T>;
  /** A handle of what an expression gives; null when that is no object. */
  handleOf(expression: string, group: string): Promise<string | null>;
  /** Calls a function with handles and values; `this` is the program. */
  callWith<T>(declaration: string, values: readonly object[]): Promise<T>;
  /** A text to evaluate, marked as ours for the debugger. A mark is good for one text: no script can use it again. */
  marked(text: string): string;
  /** Whether a script that the debugger tells of is ours. */
  isOurs(url: string): boolean;
  /** The hash by which the debugger knows the text of our program. */
  readonly programHash: string;
}

const bundled = lazily(loadBundle);

function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => (loaded ??= load());
}

type StartOptions = Omit<ProgramOptions, 'greeting'>;

/** Starts the program in the document that is there, and in no later one. */
export async function startProgram(page: Page, options: StartOptions): Promise<ProgramPage> {
  const greeting = createGreeting();
  const source = `${await startText({ ...options, greeting })};undefined`;
  const programPage = withProgram(page, { greeting, source });
  await page.evaluate(source);
  return programPage;
}

/** Starts the program in every document that the page loads from now on, before any script of it. */
export async function startInDocuments(page: Page, options: StartOptions): Promise<ProgramPage> {
  const greeting = createGreeting();
  const source = await startText({ ...options, greeting });
  const programPage = withProgram(page, { greeting, source });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
  return programPage;
}

/** No script of a page can know it, so none can put something else in the place of our program. */
const createGreeting = (): string => `espalier ${randomBytes(16).toString('hex')}`;

async function startText(options: ProgramOptions): Promise<string> {
  // The page with which the browser tells of an error is left alone.
  return `(() => {
    'use strict';
    if (location.protocol === 'chrome-error:') return;
    const { program, hardened } = ${await bundled()};
    if (globalThis === globalThis.top) program.begin(${JSON.stringify(options)}, hardened);
    else program.lend(${JSON.stringify(options)});
  })()`;
}

interface RemoteObject<T = unknown> {
  readonly value?: T;
  readonly objectId?: string;
}

interface Answer<T> {
  readonly result: RemoteObject<T>;
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

function valueIn<T>({ result, exceptionDetails }: Answer<T>): RemoteObject<T> {
  if (exceptionDetails === undefined) return result;
  throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

/** Answers of a page that are waited for before its program is said to be missing. */
const mostTurns = 50;

interface SentProgram {
  readonly greeting: string;
  readonly source: string;
}

function withProgram(page: Page, { greeting, source }: SentProgram): ProgramPage {
  let program: string | null = null;
  page.listen(event => {
    if (event.method === 'Runtime.executionContextsCleared') program = null;
    // The first in a document is ours: it runs before any script of the page.
    program ??= handedOver(event, greeting);
    const clock = realClockIn(event, greeting);
    if (clock !== null) page.noteRealClock(clock);
  });
  /** A document that has just begun hands its program over before it answers anything. */
  const handle = async (): Promise<string> => {
    for (let turn = 0; turn < mostTurns; turn++) {
      await page.evaluate('0');
      if (program !== null) return program;
    }
    throw notThere(page.incidents().find(({ kind }) => kind === 'error')?.detail ?? null);
  };
  const marks = new Set<string>();
  const marked = (text: string): string => {
    const mark = `espalier:${randomBytes(8).toString('hex')}`;
    marks.add(mark);
    return `${text}\n//# sourceURL=${mark}\n`;
  };
  const call = async <T>(functionDeclaration: string, more: object): Promise<RemoteObject<T>> => {
    // Sent at once where the program is known: what is asked first arrives first.
    const objectId = program ?? (await handle());
    return valueIn(
      await page.send<Answer<T>>('Runtime.callFunctionOn', {
        functionDeclaration: marked(functionDeclaration),
        objectId,
        ...more,
      }),
    );
  };
  const asking = (expression: string): string =>
    `function () { 'use strict'; const program = this; return (${expression}); }`;
  return {
    ...page,
    marked,
    isOurs: url => marks.delete(url),
    programHash: createHash('sha256').update(source).digest('hex'),
    evaluate: (expression, options) => page.evaluate(marked(expression), options),
    async ask<T>(expression: string, { asUser = false }: EvaluateOptions = {}): Promise<T> {
      const more = { awaitPromise: true, returnByValue: true, userGesture: asUser };
      const { value } = await call<string>(asking(`program.answer(() => (${expression}))`), more);
      return (value === undefined ? undefined : JSON.parse(value)) as T;
    },
    async handleOf(expression, objectGroup) {
      return (await call(asking(expression), { objectGroup })).objectId ?? null;
    },
    async callWith<T>(declaration: string, values: readonly object[]): Promise<T> {
      const strict = declaration.replace('{', "{ 'use strict';");
      return (await call<T>(strict, { arguments: values, returnByValue: true })).value as T;
    },
  };
}

/** The handle of the program in the event with which it hands itself over. */
function handedOver({ method, params }: BrowserEvent, greeting: string): string | null {
  if (method !== 'Runtime.consoleAPICalled') return null;
  const [word, program] = params['args'] as readonly RemoteObject[];
  return word?.value === greeting ? (program?.objectId ?? null) : null;
}

/** What our program says follows the real clock. */
function realClockIn({ method, params }: BrowserEvent, greeting: string): string | null {
  if (method !== 'Runtime.consoleAPICalled') return null;
  const [word, what] = params['args'] as readonly RemoteObject[];
  return word?.value === `${greeting} ${realClockWord}` && typeof what?.value === 'string' ? what.value : null;
}

/** Told when a document is asked before its program is there, or after it was left. */
export const missingProgram = 'our program is not in the page';

function notThere(error: string | null): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The page cannot be asked: ${missingProgram}.${error === null ? '' : ` The first error there: ${error}.`}`,
    expected: 'Expected a page in which scripts run, in Chromium 150 or newer.',
  });
}
