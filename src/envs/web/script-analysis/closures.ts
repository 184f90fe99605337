import { LostError } from '../browser/connection.ts';
import { given, type ProgramPage } from '../tab/page-program.ts';
import type { ScopeFinding, ScopeNote } from '../page-program/page-records.ts';
import type { ModuleTop } from './bindings.ts';
import { inTurns } from './in-turns.ts';
import type { FoundNames, FunctionPlace, PageScripts } from './scripts.ts';
import { rootsText, variablesText } from './variables-text.ts';

/** Asks the debugger of the browser what functions of a page hold in the scopes around them. */
export interface ClosureReader {
  /** Learns of every function that was seen and that nothing is known of yet, and of those that they lead to. */
  read(): Promise<void>;
  /** Says that not everything can be known. */
  giveUp(reason: string): Promise<void>;
  /** Another document was loaded: what was known is of the past. */
  forget(): void;
  /** Says so when a script of the page can hide state. */
  check(): Promise<void>;
}

/** More at once would take longer than walking the path again. */
const mostFunctions = 20_000;
/** Functions lead to functions so far at once. */
const mostSpreads = 200;
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
  /** Null for what has no script: a function that was bound. */
  readonly place: FunctionPlace | null;
  /** The scopes around it, then what it was bound to. */
  readonly handles: readonly (string | null)[];
}

export function createClosureReader(page: ProgramPage, scripts: PageScripts): ClosureReader {
  let [inspector, entrance] = [createInspector(page, scripts), createEntrance(page, scripts)];
  return {
    giveUp: reason => giveUp(page, reason),
    forget() {
      [inspector, entrance] = [createInspector(page, scripts), createEntrance(page, scripts)];
    },
    async check() {
      const { reason, callsEval } = await scripts.hidden(await inspector.ourScript());
      if (reason !== null) await giveUp(page, `its scripts use ${reason}`);
      if (callsEval && (await page.ask<boolean>('program.state.watchEval()')))
        await giveUp(page, 'its scripts use direct eval, which can add variables to its function');
    },
    async read() {
      for (let spreads = 0, fresh = 1; fresh > 0 && spreads < mostSpreads; spreads++) {
        await readOnce(page, scripts, { inspector, entrance });
        fresh = await page.ask('program.state.spread()');
      }
    },
  };
}

async function readOnce(page: ProgramPage, scripts: PageScripts, { inspector, entrance }: Debugging): Promise<void> {
  const list = await inspector.handleOf('program.state.scopes.take()');
  const refused = scripts.refused();
  if (refused !== null) return giveUp(page, refused);
  const runs = await inspector.membersOf(list);
  if (runs.length > mostFunctions) return giveUp(page, `more than ${mostFunctions} functions came at once`);
  const findings = await inTurns(runs, (id, index) => inspector.ask(id, index));
  const { notes, known } = await inspector.learn(findings, entrance);
  for (let left = notes; left.length > 0; left = await page.ask('program.state.scopes.noteDeferred()')) {
    if (!(await entrance.adopt(left.map(note => entering(note, known.get(note.index) ?? noVariables))))) break;
  }
  await page.send('Runtime.releaseObjectGroup', { objectGroup: group });
}

function giveUp(page: ProgramPage, reason: string): Promise<void> {
  return page.ask(`program.state.scopes.giveUp(${JSON.stringify(reason)})`);
}

/** Both are of one document. */
interface Debugging {
  readonly inspector: Inspector;
  readonly entrance: Entrance;
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
  learn(findings: readonly Finding[], entrance: Entrance): Promise<Learned>;
}

interface Learned {
  readonly notes: readonly ScopeNote[];
  /** By index, what the parser knows of the functions. */
  readonly known: ReadonlyMap<number, FoundNames>;
}

/** Of a function that was bound: what it was bound to is handed over beside. */
const noVariables: FoundNames = { told: { assigned: [] }, exact: null, body: null };

function createInspector(page: ProgramPage, scripts: PageScripts): Inspector {
  let found: Promise<string | null> | null = null;
  let tops: TopReader | null = null;

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
    found ??= handleOf('program.look').then(async id => (await ask(id, 0)).place?.scriptId ?? null);
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
    async learn(findings, entrance) {
      const ours = await ourScript();
      // The program in a frame holds random numbers of ours: no state of the page.
      const theirs = findings.filter(({ place }) => !scripts.isSame(place?.scriptId ?? null, ours));
      const held = await page.callWith<readonly number[]>('function () { return this.state.scopes.hold(arguments); }', [
        { value: JSON.stringify(theirs.map(({ index, bound, isNative }) => ({ index, bound, isNative }))) },
        ...theirs.flatMap(({ handles }) => handles).map(objectId => (objectId === null ? {} : { objectId })),
      ]);
      const places = new Map(theirs.map(({ index, place }) => [index, place]));
      const names = await Promise.all(
        held.map(index => {
          const place = places.get(index) ?? null;
          return place === null ? noVariables : scripts.namesAt(place);
        }),
      );
      tops ??= createTopReader(page, scripts, entrance);
      await tops.adopt(names.map((known, at) => ({ index: held[at] as number, known })));
      const notes = await page.ask<readonly ScopeNote[]>(
        `program.state.scopes.note(${given(names.map(({ told }) => told))})`,
      );
      const known = new Map(names.map((one, at) => [held[at] as number, one]));
      const covered = notes.flatMap(({ index, names: its }) => {
        const hidden = known.get(index)?.exact?.covered;
        return its.filter(name => hidden?.includes(name) === true);
      });
      if (covered.length > 0)
        await giveUp(
          page,
          `its scripts use parameter defaults with a name that the body declares again: ${covered[0]}`,
        );
      return { notes, known };
    },
  };
}

/** What a function is entered for: of each scope that others share with it, all that can be seen from there. */
function entering(note: ScopeNote, { exact, body }: FoundNames): EnteredNote {
  const owners = note.owners.map(({ mark, names }) => ({ mark, names: exact?.visible.get(mark) ?? names }));
  return { ...note, owners, body };
}

interface EnteredNote extends ScopeNote {
  readonly body: FunctionPlace | null;
}

function findingOf(index: number, inner: ReadonlyMap<string, RemoteObject | undefined>): Finding {
  const parts = ['[[TargetFunction]]', '[[BoundThis]]', '[[BoundArgs]]'];
  const bound = parts.flatMap(name => inner.get(name)?.objectId ?? []);
  const place = (inner.get('[[FunctionLocation]]')?.value ?? null) as FunctionPlace | null;
  const handles = [inner.get('[[Scopes]]')?.objectId ?? null, ...bound];
  return { index, handles, bound: bound.length, isNative: place === null, place };
}

/** A function to enter, and what its script says of it. */
interface Entered {
  readonly index: number;
  readonly known: FoundNames;
}

/** Gets at variables from within their functions: each is entered, and stopped before it does anything. */
interface Entrance {
  /** Whether all could be entered. */
  adopt(wanted: readonly EnteredNote[]): Promise<boolean>;
  /** Enters a function and evaluates something there; a handle of what came of it, or null. */
  read(run: Entered, text: string): Promise<string | null>;
}

function createEntrance(page: ProgramPage, scripts: PageScripts): Entrance {
  const allowPauses = (on: boolean) => page.send('Debugger.setSkipAllPauses', { skip: !on });
  const go = (stop: string | null): Promise<unknown> | null =>
    stop ? page.send('Debugger.removeBreakpoint', { breakpointId: stop }) : null;
  /** The page is not what it was: another one takes its place, in which no function is entered. */
  const leave = async (index: number): Promise<never> => {
    const began = await page.ask<string>(`String(program.state.scopes.entrance(${index})).slice(0, 60)`);
    scripts.refuse(`a function of it was not stopped where it begins: ${began}`);
    throw new LostError('page');
  };
  /** One after the other: what is asked while a function stands still must be answered before it is let go. */
  const enter = async (index: number, text: string): Promise<string | null> => {
    const { frame: paused, stop } = nextFrame(page);
    let hasRun = true;
    const answered = page.ask(`program.state.scopes.enter(${index})`).then(
      () => null,
      () => {
        hasRun = false;
        return null;
      },
    );
    const frame = await Promise.race([paused, answered]);
    stop();
    if (frame === null) return hasRun ? leave(index) : null;
    const objectId = await evaluateIn(page, frame.callFrameId, text);
    // It is ended there, before it does anything.
    await page.send('Debugger.resume', { terminateOnResume: true }).catch(() => null);
    await answered;
    return isAtStart(frame) ? objectId : leave(index);
  };
  return {
    async adopt(wanted) {
      const stops = await inTurns(wanted, ({ index, body }) => stopIn(page, index, body).catch(alreadyThere));
      await allowPauses(true);
      const missed = wanted.filter((_, index) => stops[index] === null);
      for (const one of wanted) {
        // One that is missed is enough to give up.
        if (missed.length > 0) break;
        const objectId = await enter(one.index, variablesText(one));
        if (objectId === null || !(await handOver(page, one.index, objectId))) missed.push(one);
      }
      await allowPauses(false);
      await Promise.all(stops.map(go));
      if (missed.length > 0)
        await giveUp(page, `the variable ${missed[0]?.names[0] ?? 'this'} of a function cannot be reached`);
      return missed.length === 0;
    },
    async read({ index, known: { body } }, text) {
      const stop = await stopIn(page, index, body).catch(alreadyThere);
      if (stop === null) return null;
      await allowPauses(true);
      const objectId = await enter(index, text);
      await allowPauses(false);
      await go(stop);
      return objectId;
    },
  };
}

/** Evaluates something where a function stands still; a handle of what came of it, or null. */
async function evaluateIn(page: ProgramPage, frame: string, text: string): Promise<string | null> {
  const { result, exceptionDetails } = await page
    .send<{ result?: RemoteObject; exceptionDetails?: unknown }>('Debugger.evaluateOnCallFrame', {
      callFrameId: frame,
      expression: page.marked(text),
      objectGroup: group,
    })
    .catch((cause: unknown) => ({ exceptionDetails: cause, result: undefined }));
  return (exceptionDetails === undefined ? result?.objectId : undefined) ?? null;
}

/** Makes a function stop where it begins; null when that cannot be. */
async function stopIn(page: ProgramPage, index: number, body: FunctionPlace | null): Promise<string | null> {
  const objectId = await page.handleOf(`program.state.scopes.entrance(${index})`, group);
  if (objectId === null) return null;
  const stop = await page.ask<'start' | 'place' | 'body'>(`program.state.scopes.stopOf(${index})`);
  const place = stop === 'place' ? await placeOf(page, objectId) : null;
  // Where the text begins is still the function around it.
  const location = stop === 'body' ? body : place && { ...place, columnNumber: place.columnNumber + 1 };
  if (stop === 'body' && location === null) return null;
  const { breakpointId } = await (location === null
    ? page.send<Stop>('Debugger.setBreakpointOnFunctionCall', { objectId })
    : page.send<Stop>('Debugger.setBreakpoint', { location }));
  return breakpointId;
}

interface Stop {
  readonly breakpointId: string;
}

/** Where the text of a function begins. */
async function placeOf(page: ProgramPage, objectId: string): Promise<FunctionPlace | null> {
  const { internalProperties = [] } = await page.send<{ internalProperties?: readonly Property[] }>(
    'Runtime.getProperties',
    { objectId, ownProperties: true },
  );
  return (internalProperties.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value ??
    null) as FunctionPlace | null;
}

/** Hands over the variables of a function; whether that could be done. */
function handOver(page: ProgramPage, index: number, objectId: string): Promise<boolean> {
  return page
    .callWith('function (index, found) { this.state.scopes.adopt(index, found); }', [{ value: index }, { objectId }])
    .then(() => true, ofFrame);
}

/** Gets at the variables at the top of modules, which there are once. */
interface TopReader {
  adopt(runs: readonly Entered[]): Promise<void>;
}

/** Not every name can be seen from every function. */
const mostEntrances = 24;

function createTopReader(page: ProgramPage, scripts: PageScripts, entrance: Entrance): TopReader {
  const entered = new Set<string>();
  const adoptTop = async (script: string, top: ModuleTop, runs: readonly Entered[]): Promise<void> => {
    const hand = (found: object, roots: object): Promise<unknown> =>
      page.callWith('function (script, found, roots) { this.state.scopes.adoptTop(script, found, roots); }', [
        { value: script },
        { value: JSON.stringify(found) },
        roots,
      ]);
    const left = new Set(top.names);
    for (const run of runs.slice(0, mostEntrances)) {
      const names = [...left].filter(name => run.known.exact?.hides.includes(name) !== true);
      const objectId = names.length === 0 ? null : await entrance.read(run, rootsText(names));
      if (objectId === null || !(await hand({ names, plain: [] }, { objectId }).then(() => true, ofFrame))) continue;
      for (const name of names) left.delete(name);
      if (left.size > 0) continue;
      await hand({ names: [], plain: top.plain }, { value: [] });
      return;
    }
  };
  return {
    async adopt(runs) {
      for (const script of new Set(runs.flatMap(({ known }) => known.told.script ?? []))) {
        const top = entered.has(script) ? null : await scripts.topOf(script);
        entered.add(script);
        if (top === null) continue;
        const its = runs.filter(({ known: { told, exact } }) => told.script === script && exact?.told.home === null);
        const hiding = ({ known }: Entered): number => known.exact?.hides.length ?? 0;
        await adoptTop(
          script,
          top,
          its.toSorted((one, other) => hiding(one) - hiding(other)),
        );
      }
    },
  };
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

interface PausedFrame {
  readonly callFrameId: string;
  readonly location: FunctionPlace;
  readonly functionLocation?: FunctionPlace;
}

/** The browser takes some calls in a function for its first place, and says that they stand where the script begins. */
function isAtStart({ location, functionLocation: start = location }: PausedFrame): boolean {
  const columns = location.columnNumber - start.columnNumber;
  return location.lineNumber === start.lineNumber ? columns >= 0 : location.lineNumber > start.lineNumber;
}

function nextFrame(page: ProgramPage): { readonly frame: Promise<PausedFrame>; stop(): void } {
  let stop = (): void => undefined;
  const frame = new Promise<PausedFrame>(resolve => {
    stop = page.listen(({ method, params }) => {
      if (method === 'Debugger.paused') resolve((params['callFrames'] as readonly PausedFrame[])[0] as PausedFrame);
    });
  });
  return { frame, stop: () => stop() };
}
