import type { ProgramPage } from '../tab/page-program.ts';
import type { SnapshotHandle } from '../page-program/page-records.ts';
import { createClosureReader } from './closures.ts';
import { createModuleWaits } from './module-waits.ts';
import { readHiddenTexts } from './hidden-texts.ts';
import type { PageScripts } from './scripts.ts';
import { rootsText } from './variables-text.ts';

/** What has to be learned of a page from outside of it, for a snapshot of it to be whole. */
export interface Knowledge {
  /** Learns what was not known when a snapshot was kept, and keeps it anew. */
  complete(kept: SnapshotHandle, at: Kept): Promise<SnapshotHandle>;
}

interface Kept {
  /** Counts the documents that were loaded. */
  readonly document: number;
  /** Whether the snapshot is for unchecked restores alone. */
  readonly unchecked: boolean;
}

/** What is learned may lead to more. */
const mostRounds = 60;

export function createKnowledge(page: ProgramPage, scripts: PageScripts): Knowledge {
  const closures = createClosureReader(page, scripts);
  const waits = createModuleWaits(page);
  const histories = new Map<string, string>();
  let [document, known, ran] = [0, 0, ''];

  /** Snapshots can be kept only of what is known by name. */
  const nameRoots = async (): Promise<void> => {
    const { names } = await page.send<{ names: readonly string[] }>('Runtime.globalLexicalScopeNames');
    const { result } = await page.send<{ result: { objectId?: string } }>('Runtime.evaluate', {
      expression: page.marked(rootsText(names)),
      objectGroup: 'espalier',
    });
    await page.callWith('function (roots) { this.state.name(roots); }', [{ objectId: result.objectId }]);
  };
  const arrive = async (entry: string): Promise<void> => {
    closures.forget();
    waits.forget();
    // A document that is come back to has its history again.
    const earlier = histories.get(entry);
    if (earlier !== undefined) await page.ask(`program.history.adopt(program.given(${JSON.stringify(earlier)}))`);
  };
  return {
    async complete(kept, { document: current, unchecked }) {
      if (document !== current) {
        [document, known, ran] = [current, -1, ''];
        await arrive(kept.entry);
      }
      let last = kept;
      const again = (): Promise<SnapshotHandle> => page.ask(`program.keepAgain(${last.id}, ${unchecked})`);
      await closures.check();
      if (last.texts > 0) {
        await readHiddenTexts(page);
        last = await again();
      }
      for (let round = 0; round <= mostRounds && (last.scripts !== known || last.fresh > 0); round++) {
        if (last.scripts !== known) await nameRoots();
        known = last.scripts;
        if (round === mostRounds) await closures.giveUp('its functions lead to ever more functions');
        else if (last.fresh > 0) await closures.read();
        last = await again();
      }
      const modules = await scripts.modules(last.modules);
      // A module does not run again, and one that failed may have run for a while.
      const there = `${modules.ran.size} of ${modules.count}`;
      if (ran !== '' && there !== ran) {
        await page.ask(`program.state.invalidate('a module that was loaded since')`);
        last = await again();
      }
      ran = there;
      if (!(await waits.haveEnded(await scripts.waiting(last.modules))))
        last = { ...last, unsupported: last.unsupported ?? 'a module that has not run to its end (top-level await)' };
      if (modules.idle !== null)
        last = { ...last, unsupported: last.unsupported ?? 'a module that was loaded before it is needed' };
      if (last.history !== null) histories.set(last.entry, last.history);
      return last;
    },
  };
}
