import type { ProgramPage } from '../tab/page-program.ts';
import type { KnownNames } from '../page-program/page-records.ts';
import type { ModuleTop } from './bindings.ts';
import type { FunctionNames } from './function-names.ts';
import { topLevelAwait } from './hidden-state.ts';
import type { ScriptAnalysis } from './script-analysis.ts';
import type { ScriptLibrary } from './script-library.ts';

/** The scripts of a page, as the debugger tells of them. */
export interface PageScripts extends Pick<ScriptLibrary, 'refuse' | 'refused'> {
  /** Begins to listen; no script of the page can stop itself with a `debugger` statement. */
  start(): Promise<void>;
  /** What a function uses of the variables around it, by the place where the debugger says that it stands. */
  namesAt(place: FunctionPlace): Promise<FoundNames>;
  /** What a module declares at its top; null for any other script. */
  topOf(script: string): Promise<ModuleTop | null>;
  /** Modules that scripts of the page ask for later by a written name, and that are not there yet. */
  lateModules(): Promise<readonly string[]>;
  /** Says that a module has run. */
  noteRan(url: string): void;
  /** Modules that have run so far, and one that is there and may not have run. `entries` are those that the document names. */
  modules(entries: readonly string[]): Promise<RanModules>;
  /** Whether two scripts have the same text. Our program runs once in the page and once in each of its frames. */
  isSame(script: string | null, other: string | null): boolean;
  /** Why state can lie where no snapshot reaches, over all scripts that ran so far, and whether one calls `eval` by its name. */
  hidden(ourScript: string | null): Promise<{ readonly reason: string | null; readonly callsEval: boolean }>;
  /**
   * Modules of files, among the scripts that `hidden` has read, that wait at their top: what they wait for shows nowhere. Null for one
   * whose name is not that of its file: to ask for it would run it again.
   */
  waiting(entries: readonly string[]): Promise<readonly (string | null)[]>;
  /** Another document was loaded. */
  forget(): void;
  stop(): void;
}

export interface FoundNames {
  /** What the page is told. */
  readonly told: KnownNames;
  /** Null where the parser does not know the function. */
  readonly exact: FunctionNames | null;
  /** Where its body begins, as the debugger counts; null where that is not known. */
  readonly body: FunctionPlace | null;
}

interface RanModules {
  /** Addresses of those that are there. */
  readonly ran: ReadonlySet<string>;
  readonly idle: string | null;
  /** How many are there, whether they have run or not. */
  readonly count: number;
}

/** Where a function stands in the document or file of its script. */
export interface FunctionPlace {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Parsed {
  readonly scriptId: string;
  readonly url: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly hash: string;
  readonly isModule: boolean;
  /** Whether none of it ever ran: it cannot be parsed. */
  readonly isBroken: boolean;
  /** Whether the script says itself where it is from. */
  readonly hasSourceURL?: boolean;
}

export function createScripts(page: ProgramPage, library: ScriptLibrary): PageScripts {
  let parsed = new Map<string, Parsed>();
  let reasons = createReasons();
  /** Modules that have run: one of their functions was met. */
  let met = new Set<string>();
  const stop = page.listen(({ method, params }) => {
    if (method === 'Runtime.executionContextsCleared') forget();
    // A module that cannot be read gives its error again to whoever asks for it.
    const isBroken = method === 'Debugger.scriptFailedToParse' && params['isModule'] === true;
    if ((method !== 'Debugger.scriptParsed' && !isBroken) || page.isOurs(String(params['url']))) return;
    const script = params as unknown as Parsed;
    parsed.set(script.scriptId, { ...script, isBroken, isModule: isNamedModule(script) });
  });
  const forget = (): void => {
    [parsed, met] = [new Map(), new Set()];
    reasons = createReasons();
  };
  const analysisOf = (script: Parsed): Promise<ScriptAnalysis> =>
    library.analysisOf(script, async () => {
      const { scriptId } = script;
      return (await page.send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId })).scriptSource;
    });
  return {
    ...library,
    async start() {
      await page.send('Debugger.enable');
      await page.send('Debugger.setSkipAllPauses', { skip: true });
    },
    async namesAt(place) {
      const found = parsed.get(place.scriptId);
      if (found === undefined) return { told: { assigned: null }, exact: null, body: null };
      if (found.isModule) met.add(found.url);
      return namesAt(place, found, await analysisOf(found));
    },
    async topOf(script) {
      const found = parsed.get(script);
      return (found && (await analysisOf(found)).bindings?.top) ?? null;
    },
    lateModules: () => lateModules(scriptsBut(parsed, page.programHash), analysisOf),
    noteRan: url => void met.add(url),
    modules: entries => ranModules([...parsed.values()], new Set([...entries, ...met]), analysisOf),
    isSame(script, other) {
      if (script === null || other === null) return false;
      if (script === other) return true;
      const hash = parsed.get(script)?.hash;
      return hash !== undefined && hash === parsed.get(other)?.hash;
    },
    async hidden(ourScript) {
      const ours = ourScript === null ? null : parsed.get(ourScript)?.hash;
      return reasons.read(scriptsBut(parsed, ours), analysisOf);
    },
    async waiting(entries) {
      const { ran } = await ranModules([...parsed.values()], new Set(entries), analysisOf);
      return reasons.waiting().map(url => (ran.has(url) ? url : null));
    },
    forget,
    stop,
  };
}

/** A function that a module makes of a text counts as a module to the browser, and has no name. */
function isNamedModule({ isModule, url }: Partial<Parsed>): boolean {
  return isModule === true && url !== '';
}

/** What scripts hide, read once of each. */
interface Reasons {
  read(
    scripts: readonly Parsed[],
    analysisOf: AnalysisOf,
  ): Promise<{ readonly reason: string | null; readonly callsEval: boolean }>;
  waiting(): readonly string[];
}

function createReasons(): Reasons {
  let [reason, callsEval]: [string | null, boolean] = [null, false];
  const [checked, waiting] = [new Set<string>(), new Set<string>()];
  return {
    async read(scripts, analysisOf) {
      for (const script of scripts) {
        if (script.isBroken || checked.has(script.scriptId)) continue;
        const { hidden, callsEval: calls } = await analysisOf(script);
        callsEval ||= calls;
        const isFile = script.isModule && script.startLine + script.startColumn === 0 && script.hasSourceURL !== true;
        if (isFile && hidden.includes(topLevelAwait)) waiting.add(script.url);
        const left = hidden.filter(one => !isKnown(one) && !(isFile && one === topLevelAwait));
        reason ??= left.join('; ') || null;
        checked.add(script.scriptId);
      }
      return { reason, callsEval };
    },
    waiting: () => [...waiting],
  };
}

function namesAt(
  { scriptId, lineNumber, columnNumber }: FunctionPlace,
  { startLine, startColumn }: Parsed,
  { assigned, bindings }: ScriptAnalysis,
): FoundNames {
  // Places are those of the document or file.
  const column = lineNumber === startLine ? columnNumber - startColumn : columnNumber;
  const exact = bindings?.at(lineNumber - startLine, column) ?? null;
  const told = exact?.told ?? { assigned: assigned === null ? null : [...assigned] };
  const { lineNumber: line, columnNumber: at } = exact?.body ?? { lineNumber: 0, columnNumber: 0 };
  const place = { scriptId, lineNumber: line + startLine, columnNumber: line === 0 ? at + startColumn : at };
  return { told: { ...told, script: scriptId }, exact, body: (exact?.body ?? null) === null ? null : place };
}

type AnalysisOf = (script: Parsed) => Promise<ScriptAnalysis>;

/** Ours is left out by its hash: it asks for no modules, and takes a second to read. */
function scriptsBut(parsed: ReadonlyMap<string, Parsed>, ours: string | null | undefined): readonly Parsed[] {
  return [...parsed.values()].filter(({ hash }) => hash !== ours);
}

async function lateModules(parsed: readonly Parsed[], analysisOf: AnalysisOf): Promise<readonly string[]> {
  const there = new Set(parsed.map(({ url }) => url));
  const named = await Promise.all(
    parsed.map(async script => addressesOf((await analysisOf(script)).modules.later, script)),
  );
  return [...new Set(named.flat())].filter(url => !there.has(url));
}

/** What a module imports has run when it has; so has what stands in the document itself. */
async function ranModules(parsed: readonly Parsed[], ran: Set<string>, analysisOf: AnalysisOf): Promise<RanModules> {
  const all = parsed.filter(({ isModule }) => isModule);
  for (const { url, startLine, startColumn } of all) if (startLine + startColumn > 0) ran.add(url);
  for (let before = -1; before !== ran.size; ) {
    before = ran.size;
    for (const script of all)
      if (ran.has(script.url))
        for (const url of addressesOf((await analysisOf(script)).modules.now, script)) ran.add(url);
  }
  const idle = all.find(({ url }) => !ran.has(url))?.url ?? null;
  return { ran: new Set(all.map(({ url }) => url).filter(url => ran.has(url))), idle, count: all.length };
}

/** Names of modules as addresses; others than these are resolved by an import map, which no snapshot covers. */
export function addressesOf(names: readonly string[], { url }: { readonly url: string }): readonly string[] {
  return names
    .filter(name => /^(\.{0,2}\/|https?:)/.test(name) && URL.canParse(name, url))
    .map(name => new URL(name, url).href);
}

/** What generators hold lies in the objects that they make: those are refused where they are reached. */
function isKnown(reason: string): boolean {
  return /^(async )?generator functions/.test(reason);
}
