import type { JsonObject } from '../../core/json.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { App } from '../app/app.ts';

/** Something between an agent and an app that is to keep harm away. It knows what any operator knows: nothing of threats. */
export interface Defence extends Entry {
  defend<S extends JsonObject>(app: App<S>): App<S>;
}
