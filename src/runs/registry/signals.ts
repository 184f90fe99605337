import { resolve } from 'node:path';
import { versionOf, type Signal } from '../../analysis/signals/signal.ts';
import { signals } from '../../analysis/signals/signals.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { hashModule } from '../../modules/module-hash.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { requireOnce } from './given-once.ts';
import { loadPlugin } from './load-plugin.ts';

/** The signals that are meant, by name or by the path of a module that exports `signal`; all built-in ones when none is named. */
export async function chooseSignals(names: readonly string[] = signals.names): Promise<readonly Signal[]> {
  const chosen = await Promise.all([...new Set(names)].map(signalNamed));
  requireOnce(chosen.map(({ name }) => name));
  return chosen;
}

async function signalNamed(name: string): Promise<Signal> {
  if (!isModulePath(name)) return signals.need(name);
  const { create } = await loadPlugin<Signal>(resolve(name), signals.module as ModuleShape);
  return create();
}

/** `loops@1`; a module has its hash as well, so that annotations of an edited one are not used again. */
export async function signalIds(
  chosen: readonly Signal[],
  names: readonly string[] = signals.names,
): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  for (const path of new Set(names.filter(isModulePath)))
    ids.set((await signalNamed(path)).name, hashModule(resolve(path)).slice(0, 12));
  return chosen.map(signal => {
    const hash = ids.get(signal.name);
    return versionOf(signal) + (hash === undefined ? '' : `+${hash}`);
  });
}
