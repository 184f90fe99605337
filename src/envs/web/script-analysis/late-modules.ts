import type { ProgramPage } from '../tab/page-program.ts';
import { analyseScript } from './script-analysis.ts';
import type { PageScripts } from './scripts.ts';

/** So many modules are loaded early at most. */
const mostModules = 40;

/**
 * Loads the modules that a page would load later, where they do nothing but declare: a module runs once in a document, so a
 * state before it ran could not be restored. What a module declares is the same whenever it runs.
 */
export async function loadLateModules(page: ProgramPage, scripts: PageScripts): Promise<void> {
  const tried = new Set<string>();
  const { origin } = new URL(await page.evaluate<string>('document.URL'));
  for (;;) {
    const wanted = (await scripts.lateModules()).filter(url => !tried.has(url) && new URL(url).origin === origin);
    if (wanted.length === 0) return;
    for (const url of wanted.toSorted()) {
      if (tried.size >= mostModules) return;
      tried.add(url);
      if (!(await onlyDeclares(page, url))) continue;
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

/** Asked from a world of its own: scripts of the page do not hear of it. */
async function onlyDeclares(page: ProgramPage, url: string): Promise<boolean> {
  const { frameTree } = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'espalier modules' };
  const { executionContextId: contextId } = await page.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    world,
  );
  const expression = `fetch(${JSON.stringify(url)}).then(answer => (answer.ok ? answer.text() : null), () => null)`;
  const question = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result } = await page.send<{ result: { value?: unknown } }>('Runtime.evaluate', question);
  return typeof result.value === 'string' && analyseScript(result.value, 'module').modules.onlyDeclares;
}
