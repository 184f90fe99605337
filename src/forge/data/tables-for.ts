import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../worlds/app/app.ts';
import { isJoined } from '../../worlds/joined/join-apps.ts';
import { readTables, type Tables } from './tables.ts';

/** The tables that a command can speak of: where apps are joined, those of its own app, as both may use the same ids. */
export function tablesFor<S extends JsonObject>(app: App<S>, command: string, state: S): Tables {
  const tables = readTables(state);
  const part = isJoined(app) ? app.parts.find(({ commands }) => commands.has(command)) : undefined;
  if (part === undefined) return tables;
  return new Map([...tables].filter(([name]) => part.tables.has(name.split('/', 1)[0] ?? '')));
}
