import type { JsonObject } from '../../core/json.ts';
import type { App } from '../app/app.ts';
import { confirm } from './confirm.ts';
import type { Defence } from './defence.ts';
import { filter } from './filter.ts';
import { scope } from './scope.ts';
import { spotlight } from './spotlight.ts';

/** Adding one is a file of its own, and a line here. */
export const defences: readonly Defence[] = [spotlight, filter, confirm, scope];

/** The app behind these defences, the first one nearest to it. */
export function defend<S extends JsonObject>(app: App<S>, names: readonly string[]): App<S> {
  return names.reduce((inner, name) => defences.find(known => known.name === name)?.defend(inner) ?? inner, app);
}
