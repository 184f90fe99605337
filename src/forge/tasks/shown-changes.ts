import { invert, patch } from '../../core/diff.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { createScreen } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { drawn } from '../../worlds/screen.ts';
import { nameRecord } from '../data/record-names.ts';
import { readTables } from '../data/tables.ts';
import type { InputSampler } from '../inputs/input-sampler.ts';
import type { SampledCall } from '../inputs/try-call.ts';
import { walkScreens } from '../shown/screen-walk.ts';

const callsToShow = 3;
const steps = 120;

/** Whether some screen looks different after a call of the command, found by walking through the screens of fixed worlds. */
export function showsItsChanges<S extends JsonObject>(
  app: App<S>,
  sampler: InputSampler<S>,
  worlds: readonly S[],
): boolean {
  const random = createRandom(`screens after ${sampler.command.name}`);
  for (let index = 0; index < callsToShow; index++) {
    const world = worlds[index % worlds.length] as S;
    const call = sampler.sample(world, random.fork(`call ${index}`));
    if (call === null) continue;
    const start = world['ui'] === undefined ? call.after : { ...call.after, ui: world['ui'] };
    const walk = walkScreens(app, { start, random: random.fork(`walk ${index}`), steps, texts: namesIn(world, call) });
    for (const { state, text } of walk) if (textWithout(app, state, call) !== text) return true;
  }
  return false;
}

function namesIn<S extends JsonObject>(world: S, { members, texts }: SampledCall<S>): string[] {
  const tables = readTables(world);
  const names = members.flatMap(({ places }) => places.flatMap(place => nameRecord(tables, place)?.text ?? []));
  return [...new Set([...names, ...texts])];
}

function textWithout<S extends JsonObject>(app: App<S>, state: S, { changes }: SampledCall<S>): string {
  return createScreen(drawn(app, patch(state, invert(changes)) as S)).text;
}
