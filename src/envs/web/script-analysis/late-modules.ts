import type { ProgramPage } from '../tab/page-program.ts';
import { analyseScript, type ModuleUse } from './script-analysis.ts';
import { addressesOf, type PageScripts } from './scripts.ts';

/** So many modules are read at most. */
const mostModules = 40;

/**
 * Loads the modules that a page would load later, where they do nothing but declare: a module runs once in a document, so a
 * state before it ran could not be restored. What such a module declares is the same whenever it runs.
 */
export async function loadLateModules(page: ProgramPage, scripts: PageScripts): Promise<void> {
  const tried = new Set<string>();
  const reader = createModuleReader(page, new URL(await page.evaluate<string>('document.URL')).origin);
  for (;;) {
    const wanted = (await scripts.lateModules()).filter(url => !tried.has(url));
    if (wanted.length === 0) return;
    const { ran } = await scripts.modules(await page.ask<readonly string[]>('program.state.moduleEntries()'));
    for (const url of wanted.toSorted()) {
      tried.add(url);
      if (!(await reader.onlyDeclares(url, ran))) continue;
      await hold(page, url);
      scripts.noteRan(url);
    }
  }
}

/** Loads a module and keeps hold of it: what it declares is part of the state from then on. */
async function hold(page: ProgramPage, url: string): Promise<void> {
  const expression = page.marked(`import(${JSON.stringify(url)}).catch(() => null)`);
  const { result } = await page.send<{ result: { objectId?: string } }>('Runtime.evaluate', {
    expression,
    awaitPromise: true,
  });
  if (result.objectId !== undefined)
    await page.callWith('function (module) { this.state.hold(module); }', [{ objectId: result.objectId }]);
}

interface ModuleReader {
  /** Whether a module, and what it imports and has not run, do nothing but declare. */
  onlyDeclares(url: string, ran: ReadonlySet<string>): Promise<boolean>;
}

function createModuleReader(page: ProgramPage, origin: string): ModuleReader {
  const texts = new Map<string, ModuleUse | null>();
  /** What each imports where it only declares; null where it does more. */
  const read = new Map<string, readonly string[] | null>();

  const useOf = async (url: string): Promise<ModuleUse | null> => {
    if (new URL(url).origin !== origin || (!texts.has(url) && texts.size >= mostModules)) return null;
    if (!texts.has(url)) {
      const text = await readText(page, url);
      texts.set(url, text === null ? null : analyseScript(text, 'module').modules);
    }
    return texts.get(url) ?? null;
  };
  const importsOf = async (url: string, ran: ReadonlySet<string>): Promise<readonly string[] | null> => {
    const use = await useOf(url);
    if (use === null || use.calls === null) return null;
    for (const { from, name } of use.calls) {
      const [maker] = addressesOf([from], { url });
      if (maker === undefined || !ran.has(maker) || (await useOf(maker))?.onceMade.includes(name) !== true) return null;
    }
    const imports = addressesOf(use.now, { url });
    return imports.length === use.now.length ? imports : null;
  };
  return {
    async onlyDeclares(first, ran) {
      const [left, seen] = [[first], new Set([first])];
      for (let url = left.pop(); url !== undefined; url = left.pop()) {
        if (!read.has(url)) read.set(url, await importsOf(url, ran));
        const imports = read.get(url) ?? null;
        if (imports === null) return false;
        for (const next of imports)
          if (!ran.has(next) && !seen.has(next)) {
            seen.add(next);
            left.push(next);
          }
      }
      return true;
    },
  };
}

/** Asked from a world of its own: scripts of the page do not hear of it. */
async function readText(page: ProgramPage, url: string): Promise<string | null> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'espalier modules' };
  const { executionContextId: contextId } = await page.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    world,
  );
  const expression = `fetch(${JSON.stringify(url)}).then(answer => (answer.ok ? answer.text() : null), () => null)`;
  const question = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result } = await page.send<{ result: { value?: unknown } }>('Runtime.evaluate', question);
  return typeof result.value === 'string' ? result.value : null;
}
