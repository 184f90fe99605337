import type { Environment } from '../core/contracts.ts';
import type { JsonObject } from '../core/json.ts';
import type { App } from './app/app.ts';

/** What a ladder says of a template. */
interface TemplateAdmission {
  readonly template: string;
  readonly admitted: boolean;
  readonly rung: string | null;
  readonly law: string | null;
  readonly detail: string;
}

/** What a name on the command line stands for. An app can be taken apart, an environment only opened. */
export type Source =
  | { readonly app: App<JsonObject> }
  | {
      readonly environment: Environment;
      /** The environment's own admission ladder, where it has one. */
      admit?(templates: readonly string[], seeds: number): Iterable<TemplateAdmission>;
    };
