import { given, type ProgramPage } from '../tab/page-program.ts';
import type { ScopeFinding, ScopeNote } from '../page-program/page-records.ts';
import type { PageScripts } from './scripts.ts';

/** Asks the debugger of the browser what functions of a page hold in the scopes around them. */
export interface ClosureReader {
  /** Learns of every function that was seen and that nothing is known of yet. */
  read(): Promise<void>;
  /** Says that not everything can be known. */
  giveUp(reason: string): Promise<void>;
  /** Another document was loaded: what was known is of the past. */
  forget(): void;
  /** Says so when a script of the page can hide state. */
  check(): Promise<void>;
}

/** More at once would take longer than walking the path again. */
const mostFunctions = 2000;
const group = 'espalier';

interface RemoteObject {
  readonly objectId?: string;
  readonly description?: string;
  readonly value?: unknown;
}

interface Property {
  readonly name: string;
  readonly value?: RemoteObject;
}

interface Finding extends ScopeFinding {
  /** The scopes around it, then what it was bound to. */
  readonly handles: readonly (string | null)[];
}

export function createClosureReader(page: ProgramPage, scripts: PageScripts): ClosureReader {
  let inspector = createInspector(page, scripts);
  let entrance = createEntrance(page);
  return {
    giveUp: reason => giveUp(page, reason),
    forget() {
      [inspector, entrance] = [createInspector(page, scripts), createEntrance(page)];
    },
    async check() {
      const reason = await scripts.hidden(await inspector.ourScript());
      if (reason !== null) await giveUp(page, `its scripts use ${reason}`);
    },
    async read() {
      const list = await inspector.handleOf('program.state.scopes.take()');
      const runs = await inspector.membersOf(list);
      if (runs.length > mostFunctions) return giveUp(page, `more than ${mostFunctions} functions came at once`);
      const wanted = await inspector.learn(await Promise.all(runs.map((id, index) => inspector.ask(id, index))));
      if (wanted.length > 0) await entrance.adopt(wanted);
      await page.send('Runtime.releaseObjectGroup', { objectGroup: group });
    },
  };
}

function giveUp(page: ProgramPage, reason: string): Promise<void> {
  return page.ask(`program.state.scopes.giveUp(${JSON.stringify(reason)})`);
}

/** Reads what the debugger shows of functions. */
interface Inspector {
  /** The script of our program in this document. */
  ourScript(): Promise<string | null>;
  handleOf(expression: string): Promise<string>;
  /** Handles of the members of an array. */
  membersOf(array: string): Promise<readonly string[]>;
  ask(id: string, index: number): Promise<Finding>;
  /** Hands over what was found; the answer says what is still to be learned. */
  learn(findings: readonly Finding[]): Promise<readonly ScopeNote[]>;
}

function createInspector(page: ProgramPage, scripts: PageScripts): Inspector {
  let found: Promise<string | null> | null = null;

  const read = (objectId: string) =>
    page.send<{ result: readonly Property[]; internalProperties?: readonly Property[] }>('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
  const handleOf = async (expression: string): Promise<string> => (await page.handleOf(expression, group)) as string;
  const ask = async (id: string, index: number): Promise<Finding> => {
    const { internalProperties = [] } = await read(id);
    return findingOf(index, new Map(internalProperties.map(({ name, value }) => [name, value])));
  };
  const ourScript = (): Promise<string | null> => {
    found ??= handleOf('program.look').then(async id => (await ask(id, 0)).script);
    return found;
  };
  return {
    ask,
    handleOf,
    ourScript,
    async membersOf(array) {
      const { result } = await read(array);
      return result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
    },
    async learn(findings) {
      const ours = await ourScript();
      // The program in a frame holds random numbers of ours: no state of the page.
      const theirs = findings.filter(({ script }) => !scripts.isSame(script, ours));
      const touched = await page.callWith<readonly string[]>(
        'function () { return this.state.scopes.hold(arguments); }',
        [
          { value: JSON.stringify(theirs.map(({ index, script, bound }) => ({ index, script, bound }))) },
          ...theirs.flatMap(({ handles }) => handles).map(objectId => (objectId === null ? {} : { objectId })),
        ],
      );
      const names = Object.fromEntries(
        await Promise.all(touched.map(async script => [script, await scripts.assignedIn(script)] as const)),
      );
      return page.ask<readonly ScopeNote[]>(`program.state.scopes.note(${given(names)})`);
    },
  };
}

function findingOf(index: number, inner: ReadonlyMap<string, RemoteObject | undefined>): Finding {
  const parts = ['[[TargetFunction]]', '[[BoundThis]]', '[[BoundArgs]]'];
  const bound = parts.flatMap(name => inner.get(name)?.objectId ?? []);
  const location = inner.get('[[FunctionLocation]]')?.value as { scriptId: string } | undefined;
  const handles = [inner.get('[[Scopes]]')?.objectId ?? null, ...bound];
  return { index, handles, bound: bound.length, script: location?.scriptId ?? null };
}

/** Gets at variables from within their functions: each is entered, and stopped before it does anything. */
interface Entrance {
  adopt(wanted: readonly ScopeNote[]): Promise<void>;
}

function createEntrance(page: ProgramPage): Entrance {
  let frame: string | null = null;
  let isLate = false;

  const allowPauses = (on: boolean) => page.send('Debugger.setSkipAllPauses', { skip: !on });
  /** One after the other: what is asked while a function stands still must be answered before it is let go. */
  const enter = async (wanted: ScopeNote): Promise<boolean> => {
    const paused = nextFrame(page);
    const entered = page.ask(`program.state.scopes.enter(${wanted.index})`);
    entered.catch(() => null);
    if (frame === null) frame = (await paused.frame).callFrameId;
    const found = await page
      .send<{ result?: RemoteObject; exceptionDetails?: unknown }>('Debugger.evaluateOnCallFrame', {
        callFrameId: frame,
        expression: page.marked(variablesText(wanted)),
        objectGroup: group,
      })
      .catch((cause: unknown) => ({ exceptionDetails: cause, result: undefined }));
    // It is ended there, before it does anything.
    await page.send('Debugger.resume', { terminateOnResume: true }).catch(() => null);
    await entered.catch(() => null);
    paused.stop();
    isLate ||= paused.isLate();
    const objectId = found.exceptionDetails === undefined ? found.result?.objectId : undefined;
    if (objectId === undefined) return false;
    const handed = [{ value: wanted.index }, { objectId }];
    return page
      .callWith('function (index, found) { this.state.scopes.adopt(index, found); }', handed)
      .then(() => true, ofFrame);
  };
  return {
    async adopt(wanted) {
      const stops = await Promise.all(wanted.map(one => stopAt(page, one).catch(alreadyThere)));
      await allowPauses(true);
      const missed = wanted.filter((_, index) => stops[index] === null);
      for (const one of wanted) {
        // One that is missed is enough to give up.
        if (missed.length > 0) break;
        if (!(await enter(one))) missed.push(one);
      }
      await allowPauses(false);
      await Promise.all(
        stops.map(stop => (stop ? page.send('Debugger.removeBreakpoint', { breakpointId: stop }) : null)),
      );
      // What it did until then nobody takes back.
      if (isLate) page.noteRealClock('a function that did not stop where it begins');
      if (isLate) await giveUp(page, 'a function did not stop where it begins');
      if (missed.length > 0)
        await giveUp(page, `the variable ${missed[0]?.names[0] ?? 'this'} of a function cannot be reached`);
    },
  };
}

/** Lets a function stop where it begins. */
async function stopAt(page: ProgramPage, { index }: ScopeNote): Promise<string | null> {
  const objectId = await page.handleOf(`program.state.scopes.entrance(${index})`, group);
  if (objectId === null) return null;
  const place = (await page.ask<boolean>(`program.state.scopes.isChained(${index})`))
    ? await placeOf(page, objectId)
    : null;
  const { breakpointId } = await (place === null
    ? page.send<Stop>('Debugger.setBreakpointOnFunctionCall', { objectId })
    : // Where its text begins is still the function around it.
      page.send<Stop>('Debugger.setBreakpoint', { location: { ...place, columnNumber: place.columnNumber + 1 } }));
  return breakpointId;
}

/** Functions of one text share a stop. */
function alreadyThere(cause: unknown): string {
  if (cause instanceof Error && cause.message.includes('already exists')) return '';
  throw cause;
}

/** The variables of a function of a frame cannot be handed over: the browser refuses. */
function ofFrame(cause: unknown): false {
  if (cause instanceof Error && cause.message.includes('same JavaScript world')) return false;
  throw cause;
}

interface Stop {
  readonly breakpointId: string;
}

interface Place {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Where the text of a function begins. */
async function placeOf(page: ProgramPage, objectId: string): Promise<Place | null> {
  const { internalProperties = [] } = await page.send<{ internalProperties?: readonly Property[] }>(
    'Runtime.getProperties',
    { objectId, ownProperties: true },
  );
  return (internalProperties.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value ?? null) as Place | null;
}

interface PausedFrame {
  readonly callFrameId: string;
  readonly location: Place;
  readonly functionLocation?: Place;
}

/** The browser takes some calls in a function for its first place, and says that they stand where the script begins. */
function isBefore({ location, functionLocation: start = location }: PausedFrame): boolean {
  const columns = location.columnNumber - start.columnNumber;
  return location.lineNumber === start.lineNumber ? columns < 0 : location.lineNumber < start.lineNumber;
}

interface NextFrame {
  readonly frame: Promise<PausedFrame>;
  /** Whether a function has stopped later than where it begins. */
  isLate(): boolean;
  stop(): void;
}

function nextFrame(page: ProgramPage): NextFrame {
  const next = Promise.withResolvers<PausedFrame>();
  let isLate = false;
  const stop = page.listen(({ method, params }) => {
    if (method !== 'Debugger.paused') return;
    const frame = (params['callFrames'] as readonly PausedFrame[])[0] as PausedFrame;
    isLate ||= isBefore(frame);
    next.resolve(frame);
  });
  return { frame: next.promise, isLate: () => isLate, stop };
}

/** What stands for variables: read and written where their names are known. */
export function rootsText(names: readonly string[]): string {
  const roots = names.map(
    (name, index) =>
      `${index}:{__proto__:null,get(){try{return ${name}}catch{}},set(espalierValue){${name}=espalierValue}}`,
  );
  return `({__proto__:null,${[...roots, `length:${names.length}`].join(',')}})`;
}

function variablesText({ names, wantsThis }: ScopeNote): string {
  return `({ __proto__: null, variables: ${rootsText(names)}, self: ${wantsThis ? 'this' : 'undefined'} })`;
}
