import { analyseScript, type ScriptAnalysis } from './script-analysis.ts';

/** What is known of scripts, by the hash that the browser gives them: pages of one site have the same ones. */
export interface ScriptLibrary {
  analysisOf(
    script: { readonly hash: string; readonly isModule: boolean },
    read: () => Promise<string>,
  ): Promise<ScriptAnalysis>;
  /** Says that functions of these scripts cannot be entered: one was not stopped where it begins, and ran. */
  refuse(reason: string): void;
  /** Why functions are not entered any more; null as long as they can be. */
  refused(): string | null;
}

/** Scripts that are remembered at once. */
const mostScripts = 500;

export function createScriptLibrary(): ScriptLibrary {
  const known = new Map<string, Promise<ScriptAnalysis>>();
  let refused: string | null = null;
  return {
    refuse(reason) {
      refused ??= reason;
    },
    refused: () => refused,
    async analysisOf({ hash, isModule }, read) {
      const key = `${hash} ${String(isModule)}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const analysis = read().then(source => analysed(source, isModule));
      known.set(key, analysis);
      const [oldest] = known.keys();
      if (known.size > mostScripts && oldest !== undefined) known.delete(oldest);
      analysis.catch(() => known.delete(key));
      return analysis;
    },
  };
}

/** Handlers in attributes are bodies of functions; nothing tells them apart but that they may return. */
function analysed(source: string, isModule: boolean): ScriptAnalysis {
  const analysis = analyseScript(source, isModule ? 'module' : 'script');
  const isUnread = analysis.hidden.some(reason => reason.startsWith('a script that cannot be parsed'));
  return isUnread && !isModule ? analyseScript(source, 'function-body') : analysis;
}
