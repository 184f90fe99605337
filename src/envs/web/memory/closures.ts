import type { ScopeFinding, ScopeNote } from './records.ts';
import type { Page } from '../browser/page.ts';
import { assignedNames } from './assigned-names.ts';

/** Asks the debugger of the browser what functions of a page hold in the scopes around them. */
export interface ClosureReader {
  /** Learns of every function that was seen and that nothing is known of yet. */
  read(): Promise<void>;
  /** Says that not everything can be known. */
  giveUp(reason: string): Promise<void>;
  /** Another document was loaded: what was known is of the past. */
  forget(): void;
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

export function createClosureReader(page: Page): ClosureReader {
  let inspector = createInspector(page);
  let entrance = createEntrance(page);
  return {
    giveUp: reason => giveUp(page, reason),
    forget() {
      [inspector, entrance] = [createInspector(page), createEntrance(page)];
    },
    async read() {
      const list = await inspector.handleOf('espalierKeeper.scopes.take()');
      const runs = await inspector.membersOf(list);
      if (runs.length > mostFunctions) return giveUp(page, `more than ${mostFunctions} functions came at once`);
      const wanted = await inspector.learn(await Promise.all(runs.map((id, index) => inspector.ask(id, index))));
      if (wanted.length > 0) await entrance.adopt(wanted);
      await page.send('Runtime.releaseObjectGroup', { objectGroup: group });
    },
  };
}

function giveUp(page: Page, reason: string): Promise<void> {
  return page.evaluate(`espalierKeeper.scopes.giveUp(${JSON.stringify(reason)})`);
}

/** Reads what the debugger shows of functions. */
interface Inspector {
  handleOf(expression: string): Promise<string>;
  /** Handles of the members of an array. */
  membersOf(array: string): Promise<readonly string[]>;
  ask(id: string, index: number): Promise<Finding>;
  /** Hands over what was found; the answer says what is still to be learned. */
  learn(findings: readonly Finding[]): Promise<readonly ScopeNote[]>;
}

function createInspector(page: Page): Inspector {
  const assigned = new Map<string, readonly string[] | null>();
  let ours: Promise<string | null> | null = null;

  const read = (objectId: string) =>
    page.send<{ result: readonly Property[]; internalProperties?: readonly Property[] }>('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
  const handleOf = async (expression: string): Promise<string> => {
    const { result } = await page.send<{ result: RemoteObject }>('Runtime.evaluate', {
      expression,
      objectGroup: group,
    });
    return result.objectId as string;
  };
  const ask = async (id: string, index: number): Promise<Finding> => {
    const { internalProperties = [] } = await read(id);
    return findingOf(index, new Map(internalProperties.map(({ name, value }) => [name, value])));
  };
  /** The script of the keeper is not the page's. */
  const ourScript = (): Promise<string | null> => {
    ours ??= handleOf('espalierKeeper.look').then(async id => (await ask(id, 0)).script);
    return ours;
  };
  const readScript = async (scriptId: string): Promise<void> => {
    const { scriptSource } = await page.send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId });
    const names = assignedNames(scriptSource);
    assigned.set(scriptId, names === null ? null : [...names]);
  };
  return {
    ask,
    handleOf,
    async membersOf(array) {
      const { result } = await read(array);
      return result.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
    },
    async learn(findings) {
      const keeper = await ourScript();
      const theirs = findings.filter(({ script }) => script !== keeper);
      const { result } = await page.send<{ result: { value: readonly string[] } }>('Runtime.callFunctionOn', {
        functionDeclaration: 'function (...values) { return this.scopes.hold(...values); }',
        objectId: await handleOf('espalierKeeper'),
        arguments: [
          { value: theirs.map(({ index, script, bound }) => ({ index, script, bound })) },
          ...theirs.flatMap(({ handles }) => handles).map(objectId => (objectId === null ? {} : { objectId })),
        ],
        returnByValue: true,
      });
      const unread = result.value.filter(script => !assigned.has(script));
      if (unread.length > 0) await page.send('Debugger.enable');
      await Promise.all(unread.map(readScript));
      const names = Object.fromEntries(result.value.map(script => [script, assigned.get(script) ?? null]));
      return page.evaluate<readonly ScopeNote[]>(`espalierKeeper.scopes.note(${JSON.stringify(names)})`);
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

function createEntrance(page: Page): Entrance {
  let isReady: Promise<unknown> | null = null;
  let frame: string | null = null;

  const allowPauses = (on: boolean) => page.send('Debugger.setSkipAllPauses', { skip: !on });
  const stopAt = async ({ index }: ScopeNote): Promise<string | null> => {
    const { result } = await page.send<{ result: RemoteObject }>('Runtime.evaluate', {
      expression: `espalierKeeper.scopes.entrance(${index})`,
      objectGroup: group,
    });
    if (result.objectId === undefined) return null;
    const { breakpointId } = await page.send<{ breakpointId: string }>('Debugger.setBreakpointOnFunctionCall', {
      objectId: result.objectId,
    });
    return breakpointId;
  };
  /** One after the other: what is asked while a function stands still must be answered before it is let go. */
  const enter = async (wanted: ScopeNote): Promise<boolean> => {
    const paused = frame === null ? nextFrame(page) : null;
    const entered = page.send('Runtime.evaluate', { expression: `espalierKeeper.scopes.enter(${wanted.index})` });
    entered.catch(() => null);
    frame ??= (await paused) as string;
    const expression = adoptText(wanted);
    const { exceptionDetails } = await page
      .send<{ exceptionDetails?: unknown }>('Debugger.evaluateOnCallFrame', { callFrameId: frame, expression })
      .catch((cause: unknown) => ({ exceptionDetails: cause }));
    // It is ended there, before it does anything.
    await page.send('Debugger.resume', { terminateOnResume: true }).catch(() => null);
    await entered.catch(() => null);
    return exceptionDetails === undefined;
  };
  return {
    async adopt(wanted) {
      isReady ??= page.send('Debugger.enable');
      await isReady;
      const stops = await Promise.all(wanted.map(one => stopAt(one).catch(alreadyThere)));
      await allowPauses(true);
      const missed = wanted.filter((_, index) => stops[index] === null);
      for (const one of wanted) if (!missed.includes(one) && !(await enter(one))) missed.push(one);
      await allowPauses(false);
      await Promise.all(
        stops.map(stop => (stop ? page.send('Debugger.removeBreakpoint', { breakpointId: stop }) : null)),
      );
      if (missed.length > 0)
        await giveUp(page, `the variable ${missed[0]?.names[0] ?? 'this'} of a function cannot be reached`);
    },
  };
}

/** Functions of one text share a stop. */
function alreadyThere(cause: unknown): string {
  if (cause instanceof Error && cause.message.includes('already exists')) return '';
  throw cause;
}

function nextFrame(page: Page): Promise<string> {
  return new Promise(resolve => {
    const stop = page.listen(({ method, params }) => {
      if (method !== 'Debugger.paused') return;
      stop();
      resolve((params['callFrames'] as readonly { callFrameId: string }[])[0]?.callFrameId as string);
    });
  });
}

function adoptText({ index, names, wantsThis }: ScopeNote): string {
  const roots = names.map(name => `{get(){try{return ${name}}catch{}},set(espalierValue){${name}=espalierValue}}`);
  return `espalierKeeper.scopes.adopt(${index}, [${roots.join(',')}], ${wantsThis ? 'this' : 'undefined'})`;
}
