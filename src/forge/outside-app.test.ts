import { describe, expect, it } from 'vitest';
import { app as library } from '../../examples/library/library.ts';
import { parcels } from '../../test/fixtures/parcels.ts';
import { pluralOf } from '../core/text.ts';
import { createLadderPlanner } from '../runs/environments/ladder-planner.ts';
import { createWorld } from '../worlds/world.ts';
import { forgeApp } from './forge-app.ts';
import { freshText } from './inputs/fresh-values.ts';
import { memberNoun } from './wording/member-noun.ts';
import { createRandom } from '../core/random.ts';

const seeds = [1, 2, 3, 4, 5, 6];

describe('the forge on an app from outside', () => {
  it('[FORGE-30] names records without a name by what screens show of them', () => {
    const world = createWorld(forgeApp(parcels, { kinds: ['commands'] }));
    expect(world.templates.map(({ id }) => id)).toHaveLength(3);
    for (const { id } of world.templates)
      for (const seed of seeds) {
        const task = world.task(id, seed);
        const session = world.open(task);
        const found = /with (?:(\d+) kilos?|a price of ([\d.]+)|the zone "(\w+)")/.exec(task.instruction);
        const [, kilos, price, zone] = found ?? [];
        const fitting = (session.state() as ReturnType<typeof parcels.init>).parcels.filter(
          one =>
            (kilos === undefined || one.kilos === Number(kilos)) &&
            (price === undefined || (one.price / 100).toFixed(2) === price) &&
            (zone === undefined || one.zone === zone),
        );
        const { id: asked } = task.parameters['input'] as { id: string };
        expect(
          fitting.map(one => one.id),
          task.instruction,
        ).toEqual([asked]);
        // No screen shows the batch: it names nothing.
        expect(task.instruction).not.toMatch(/batch|\bp\d/);
        expect(createLadderPlanner().plan(session).outcome, task.instruction).toBe('solved');
      }
  });

  it('[FORGE-31] says why a command gives no task', () => {
    const blind = { ...parcels, view: () => ({ role: 'page' as const, name: 'Depot' }) };
    const world = createWorld(forgeApp(blind, { kinds: ['commands'] }));
    expect(() => world.task('ship-parcel.forged', 1)).toThrow('cannot tell the records of parcels apart');
  });

  it('[FORGE-31] says that all commands are left out, whatever kinds are asked for', () => {
    const leaveOut = parcels.commands.map(({ name }) => name);
    for (const kind of ['commands', 'conflicts', 'events'] as const)
      expect(() => forgeApp(parcels, { kinds: [kind], leaveOut })).toThrow('all its commands are left out (');
    const none = () => forgeApp(parcels, { kinds: ['conflicts'], notAlone: leaveOut });
    expect(none).toThrow('offers no tasks of the kinds conflicts');
  });

  it('[FORGE-32] conflicts lie on other seeds in other apps', () => {
    const other = { ...library, id: 'another-library' };
    const kindsIn = (app: typeof library): string => {
      const world = createWorld(forgeApp(app, { kinds: ['conflicts'] }));
      return Array.from({ length: 24 }, (_, seed) => world.task('missing-record.forged', seed + 1).kind).join(' ');
    };
    expect(kindsIn(library)).not.toBe(kindsIn(other));
  });

  it('[FORGE-27] values look like what they stand for, and words agree', () => {
    const random = createRandom('values');
    expect(freshText('keeper phone', ['0171 994 48'], random)).toMatch(/^\+\d\d \d{3} \d{4}$/);
    expect(freshText('emailAddress', [], random)).toMatch(/^\S+@\S+$/);
    expect(freshText('address', ['5 Bell Lane'], random)).toMatch(/Street \d+$/);
    expect(freshText('van', ['D-519'], random)).toMatch(/^D-\d{3}$/);
    expect(['child', 'person', 'crew'].map(pluralOf)).toEqual(['children', 'people', 'crews']);
    const boats = ['Moon Petrel', 'Salt Dancer', 'Sea Runner'];
    for (let draw = 0; draw < 5; draw++) {
      expect(freshText('name', boats, random)).toMatch(/^(?:Moon|Salt|Sea) (?:Petrel|Dancer|Runner)$/);
      expect(['Beagle', 'Poodle', 'Boxer']).toContain(freshText('breed', ['Beagle', 'Poodle', 'Boxer'], random));
    }
    expect(freshText('couple', ['Costa and Reed', 'Amari and Usher', 'Dahl and Silva'], random)).toMatch(
      /^\S+ and \S+$/,
    );
    const opinions = ['Too loud', 'Worth it', 'As described'];
    expect(opinions).toContain(freshText('opinion', opinions, random));
    expect(freshText('departure', ['08:15', '21:40'], random)).toMatch(/^\d\d:\d\d$/);
    expect(memberNoun('movesIn', '2026-03-05')).toBe('move-in date');
    expect(memberNoun('dateFormat', '2026-12-31')).toBe('date format');
  });
});
