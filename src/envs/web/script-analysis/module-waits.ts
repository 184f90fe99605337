import type { ProgramPage } from '../tab/page-program.ts';

/** Modules that wait at their top (`await`): how far they are, no script can ask. */
export interface ModuleWaits {
  /** Whether these modules have run to their ends; null for one that cannot be asked for. */
  haveEnded(urls: readonly (string | null)[]): Promise<boolean>;
  /** Another document was loaded. */
  forget(): void;
}

interface Property {
  readonly name: string;
  readonly value?: { readonly value?: unknown };
}

/** The debugger tells what became of the promise that the browser gives for a module that is there. */
export function createModuleWaits(page: ProgramPage): ModuleWaits {
  let promises = new Map<string, string>();
  let ended = new Set<string>();

  async function promiseOf(url: string): Promise<string | null> {
    const before = promises.get(url);
    if (before !== undefined) return before;
    const expression = page.marked(`import(${JSON.stringify(url)})`);
    const { result } = await page.send<{ result: { objectId?: string } }>('Runtime.evaluate', { expression });
    if (result.objectId === undefined) return null;
    promises.set(url, result.objectId);
    // What has come to its end says so a task later.
    await page.ask('program.drawnOut()');
    return result.objectId;
  }

  async function hasEnded(url: string): Promise<boolean> {
    const objectId = await promiseOf(url);
    if (objectId === null) return false;
    const question = { objectId, ownProperties: true };
    const { internalProperties = [] } = await page.send<{ internalProperties?: readonly Property[] }>(
      'Runtime.getProperties',
      question,
    );
    const state = internalProperties.find(({ name }) => name === '[[PromiseState]]')?.value?.value;
    // One that failed may not be the one that ran.
    return state === 'fulfilled';
  }

  return {
    async haveEnded(urls) {
      for (const url of urls) {
        if (url !== null && ended.has(url)) continue;
        if (url === null || !(await hasEnded(url))) return false;
        ended.add(url);
      }
      return true;
    },
    forget() {
      [promises, ended] = [new Map(), new Set()];
    },
  };
}
