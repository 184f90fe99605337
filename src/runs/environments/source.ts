import type { Environment } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../kernel/app.ts';

/** What a name on the command line stands for. An app can be taken apart, an environment only opened. */
export type Source = { readonly app: App<JsonObject> } | { readonly environment: Environment };
