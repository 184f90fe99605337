import type { ProgramPage } from '../tab/page-program.ts';
import type { ScriptAnalysis } from './script-analysis.ts';
import type { ScriptLibrary } from './script-library.ts';

/** The scripts of a page, as the debugger tells of them. */
export interface PageScripts {
  /** Begins to listen; no script of the page can stop itself with a `debugger` statement. */
  start(): Promise<void>;
  /** The variables that a script may assign to; null when that can be any. */
  assignedIn(script: string): Promise<readonly string[] | null>;
  /** Whether two scripts have the same text. Our program runs once in the page and once in each of its frames. */
  isSame(script: string | null, other: string | null): boolean;
  /** Why state can lie where no snapshot reaches, over all scripts that ran so far. */
  hidden(ourScript: string | null): Promise<string | null>;
  /** Another document was loaded. */
  forget(): void;
  stop(): void;
}

interface Parsed {
  readonly scriptId: string;
  readonly hash: string;
  readonly isModule: boolean;
}

export function createScripts(page: ProgramPage, library: ScriptLibrary): PageScripts {
  let parsed = new Map<string, Parsed>();
  let hidden: string | null = null;
  /** Scripts that were looked at already. */
  let checked = new Set<string>();
  const stop = page.listen(({ method, params }) => {
    if (method === 'Runtime.executionContextsCleared') forget();
    if (method !== 'Debugger.scriptParsed' || page.isOurs(String(params['url']))) return;
    const { scriptId, hash, isModule = false } = params as unknown as Parsed;
    parsed.set(scriptId, { scriptId, hash, isModule });
  });
  const forget = (): void => {
    [parsed, checked, hidden] = [new Map(), new Set(), null];
  };
  const analysisOf = (script: Parsed): Promise<ScriptAnalysis> =>
    library.analysisOf(script, async () => {
      const { scriptId } = script;
      return (await page.send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId })).scriptSource;
    });
  return {
    async start() {
      await page.send('Debugger.enable');
      await page.send('Debugger.setSkipAllPauses', { skip: true });
    },
    async assignedIn(script) {
      const found = parsed.get(script);
      if (found === undefined) return null;
      const { assigned } = await analysisOf(found);
      return assigned === null ? null : [...assigned];
    },
    isSame(script, other) {
      if (script === null || other === null) return false;
      if (script === other) return true;
      const hash = parsed.get(script)?.hash;
      return hash !== undefined && hash === parsed.get(other)?.hash;
    },
    async hidden(ourScript) {
      const ours = ourScript === null ? null : parsed.get(ourScript)?.hash;
      const unchecked = [...parsed.values()].filter(({ scriptId, hash }) => !checked.has(scriptId) && hash !== ours);
      for (const script of unchecked) {
        const { hidden: reasons } = await analysisOf(script);
        hidden ??= reasons.find(reason => !isKnown(reason)) ?? null;
        checked.add(script.scriptId);
      }
      return hidden;
    },
    forget,
    stop,
  };
}

/** What generators hold lies in the objects that they make: those are refused where they are reached. */
function isKnown(reason: string): boolean {
  return /^(async )?generator functions/.test(reason);
}
