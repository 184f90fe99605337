import { describe, expect, it } from 'vitest';
import { app as library } from '../../../../examples/library/library.ts';
import { mail } from '../../../envs/apps/mail/mail.ts';
import { createRandom } from '../../../core/random.ts';
import type { App } from '../../../worlds/app/app.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import { createTaskPool } from '../../pool/admit-task.ts';
import { forgeApp } from '../../forge-app.ts';
import { explore } from './explore.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 600 });
type Library = ReturnType<typeof library.init>;

describe('walks', () => {
  it('[FORGE-21] give tasks that are sound, solvable and say what was done', async () => {
    const world = createWorld(forgeApp(library, { kinds: ['walks'] }));
    expect(world.templates.map(({ id }) => id)).toEqual(['walk.forged', 'long-walk.forged']);
    const pool = createTaskPool({ environment: world, planner });
    const admissions = [];
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      for (const { id } of world.templates) admissions.push(await pool.admit(id, seed));
    }
    expect(admissions.filter(({ admitted }) => !admitted)).toEqual([]);
  });

  it('[FORGE-34] ask for no reader who is called like a book, and for nothing that they do not say', () => {
    const world = createWorld(forgeApp(library, { kinds: ['walks'] }));
    const said = Array.from({ length: 40 }, (_, seed) => world.task('walk.forged', seed + 1).instruction);
    expect(said.filter(text => /reader "The /.test(text))).toEqual([]);
  });

  it('[FORGE-21] find more than what stands on every screen', () => {
    const world = createWorld(forgeApp(mail, { kinds: ['walks'] }));
    const commands = Array.from({ length: 20 }, (_, seed) => {
      const [call] = world.task('walk.forged', seed).parameters['calls'] as unknown as { command: string }[];
      return call?.command;
    });
    expect(new Set(commands).size).toBeGreaterThan(3);
  });

  it('[FORGE-21] run no command that is left out', () => {
    const world = createWorld(forgeApp(library, { kinds: ['walks'], leaveOut: ['return_book'] }));
    for (let seed = 1; seed <= 12; seed++) {
      const calls = world.task('long-walk.forged', seed).parameters['calls'] as unknown as { command: string }[];
      expect(calls.map(({ command }) => command)).not.toContain('return_book');
    }
  });

  it('[FORGE-21] give no task where the commands alone lead elsewhere', () => {
    // Lending notes who was searched for: a call does not say that, only the walk knows.
    const commands = library.commands.map(command =>
      command.kind === 'gesture'
        ? command
        : {
            ...command,
            run(draft: Library, input: Parameters<typeof command.run>[1]) {
              const result = command.run(draft, input);
              for (const { id } of draft.books.slice(0, 1))
                draft.holds.push({ id: `h${draft.ui.query}`, book: id, reader: draft.ui.query });
              return result;
            },
          },
    );
    const spoilt: App<Library> = { ...library, commands, templates: [] };
    const start = spoilt.init(createRandom('1').fork('data'));
    const allowed = new Set(['lend_book', 'return_book', 'reserve_book']);
    const walked = Array.from({ length: 20 }, (_, index) =>
      explore(spoilt, {
        start,
        random: createRandom(`walk ${index}`),
        allowed,
        changes: 1,
        texts: ['Garden'],
        examples: () => [],
      }),
    );
    const searched = walked.filter(([call]) => call !== undefined && call.before.ui.query !== '');
    expect(searched.length).toBeGreaterThan(0);
    const world = createWorld(forgeApp(spoilt, { kinds: ['walks'] }));
    for (let seed = 1; seed <= 12; seed++) {
      const task = world.task('walk.forged', seed);
      const session = world.open(task);
      const [{ command, input }] = task.parameters['calls'] as unknown as [{ command: string; input: Library }];
      session.step({ kind: 'call', tool: command, input });
      session.step({ kind: 'finish' });
      expect([task.instruction, session.verify().pass]).toEqual([task.instruction, true]);
      expect((session.state() as Library).holds.at(-1)?.reader ?? '').toBe('');
    }
  });
});
