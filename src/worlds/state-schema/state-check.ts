import { describeIssues } from '../../core/records.ts';
import { diff } from '../../core/diff.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { App } from '../app/app.ts';
import { createSchemaMatch, isSame } from './schema-match.ts';

/** Gives back a state that fits the schema of its app. */
export type StateCheck<S extends JsonObject> = (state: Json) => S;

/** Refuses a state that does not fit the schema, or that has members the schema does not know, naming the field. */
export function createStateCheck<S extends JsonObject>(app: Pick<App<S>, 'id' | 'state'>): StateCheck<S> {
  const matches = createSchemaMatch(app.state);
  return state => {
    if (matches(state)) return state as S;
    const parsed = app.state.safeParse(state);
    if (!parsed.success) throw invalidState(app.id, `Expected: ${describeIssues(parsed.error)}.`);
    const [stray] = isSame(parsed.data, state) ? [] : diff(parsed.data, state);
    if (stray !== undefined)
      throw invalidState(app.id, `Its schema knows no ${stray.path}: correct the name or add it.`);
    // The value itself is kept, not the parsed copy: identity is what snapshots and digests live on.
    return state as S;
  };
}

function invalidState(app: string, expected: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'invalid-state',
    message: `A state of app "${app}" does not match its schema.`,
    expected,
  });
}
