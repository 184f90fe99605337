import { resolve } from 'node:path';
import type { Signal } from '../../analysis/signals/signal.ts';
import { signals } from '../../analysis/signals/signals.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { isModulePath } from '../modules/load-module.ts';
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
