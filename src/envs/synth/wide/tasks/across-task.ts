import type { AppTemplate } from '../../../../worlds/app/template.ts';
import { kit } from '../../app/commands.ts';
import { article, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import { checksOf, pathsOf } from '../../tasks/effects.ts';
import { operationsOf } from '../app/wide-commands.ts';
import { capital } from '../speech/registers.ts';
import { changesBy, drawAct, type Act, type Acting } from './acts.ts';
import { mentioned } from './mentions.ts';
import { orderFor } from './operation-tasks.ts';

/** Something on one page and something on another, in either order of mention. */
export function acrossTemplate({ model, entity }: Acting, other: Entity): AppTemplate<SynthState> | null {
  const pages = [entity, other];
  const operations = pages.map(({ id }) =>
    operationsOf(model, id).filter(
      ({ confirm, asks, transition }) => !confirm && asks.length < 2 && transition === null,
    ),
  );
  if (operations.some(known => known.length === 0)) return null;
  return kit.template(`across-${entity.table}-and-${other.table}`, {
    about: `Do something with ${article(entity.singular)}, and something with ${article(other.singular)}.`,
    split: 'train',
    sample(state, random) {
      const acts = pages.map((own, index) =>
        drawAct({ model, entity: own }, { state, operation: random.pick(operations[index] ?? []), random }),
      );
      const known = acts.filter(act => act !== null);
      if (known.length < pages.length) return null;
      const changes = known.map((act, index) => changesBy({ model, entity: pages[index] as Entity }, state, [act]));
      return {
        acts: known,
        edits: changes.flatMap(({ edits }) => edits),
        additions: changes.flatMap(({ additions }) => additions),
        removals: [],
      };
    },
    instruction({ acts }, random) {
      const [one, two] = acts.map((act: Act, index: number) => {
        const own = pages[index] as Entity;
        const x = mentioned(own, { searchOrFind: act.searchOrFind, by: null }, random);
        return orderFor({ model, entity: own }, act, { x, random });
      }) as [string, string];
      return random.pick([
        `${capital(one)}. ${capital(two)}.`,
        `${capital(two)}. Before that, ${one}.`,
        `${capital(one)}, and ${two}.`,
        `Please ${two}, and also ${one}.`,
        `Two things: ${one}; ${two}. Leave the rest alone.`,
        `First ${one}. When that is done, ${two}.`,
      ]);
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}
