import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ForgeWorkshop } from '../tasks/command-template.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createWorld } from '../../worlds/world.ts';
import { createWorkshop, forgeApp } from '../forge-app.ts';
import { createTaskPool } from '../pool/admit-task.ts';
import { matchQuery } from './match-query.ts';
import { queryWorld, type QueryMatch } from './query-world.ts';

const workshop = createWorkshop(library, {});
function matchedIn<S extends JsonObject>(shop: ForgeWorkshop<S>, query: string): string {
  const found = matchQuery(query, shop);
  return 'problem' in found ? found.problem : `${found.sampler.command.name}: ${found.phrase}`;
}
const matched = (query: string): string => matchedIn(workshop, query);

describe('queries', () => {
  it('[FORGE-41] go to the command that they speak of, and their nouns to its input', () => {
    expect(matched('Could you lend a book to a reader?')).toBe('lend_book: Could you lend {id} to {reader}?');
    // Another word for the verb, and a noun that is a verb elsewhere: to book is to reserve.
    expect(matched('Please loan {book}, somebody is waiting')).toBe('lend_book: Please loan {id}, somebody is waiting');
    expect(matched('Take the book back')).toBe('return_book: Take {id} back');
    expect(matched('Sing a song')).toContain('no command does that');
    // A record that the command needs and the query does not speak of.
    expect(matched('Lend it to a reader')).toContain('no command does that');
    const twins = {
      ...library,
      commands: library.commands.flatMap(command =>
        command.name === 'lend_book' ? [command, { ...command, name: 'lend_copy' }] : [command],
      ),
    };
    expect(matchedIn(createWorkshop(twins, {}), 'Lend a book to a reader')).toBe(
      'it fits lend_book and lend_copy alike',
    );
  });

  it('[FORGE-41] are instantiated with what is there, in the words of the query, and climb the ladder', async () => {
    const forged = forgeApp(library, { kinds: ['commands'], id: 'forge-library' });
    const { environment, queries } = queryWorld(forged, ['Hand the book back', 'Lend a book to a reader, today!'], 3);
    expect(queries.map((query: QueryMatch) => ('template' in query ? query.template : 'none'))).toEqual([
      'none',
      'lend-book.forged',
    ]);
    const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 800 });
    const pool = createTaskPool({ environment, planner });
    for (const seed of [4, 5]) expect(await pool.admit('lend-book.forged', seed)).toMatchObject({ admitted: true });
    for (const task of pool.tasks) {
      expect(task.instruction).toMatch(/^Lend the book ".+" to ".+", today/);
      // It opens where there are no queries: what is asked for is in the task.
      expect(createWorld(forged).open(task).verify().pass).toBe(false);
    }
  });

  it('[FORGE-41] find their commands in a built-in app', () => {
    const shop = createWorkshop(mail, {});
    expect(matchedIn(shop, 'Can you star the message for me?')).toBe('star_message: Can you star {id} for me?');
    expect(matchedIn(shop, 'Get rid of a label')).toBe('delete_label: Get rid of {id}');
  });
});
