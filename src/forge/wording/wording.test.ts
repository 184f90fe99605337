import { describe, expect, it } from 'vitest';
import { mail } from '../../envs/apps/mail/mail.ts';
import { shop } from '../../envs/apps/shop/shop.ts';
import { tracker } from '../../envs/apps/tracker/tracker.ts';
import { createSynthApp } from '../../envs/synth/app/synth-app.ts';
import { synthSpec } from '../../envs/synth/generate/synth-spec.ts';
import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../worlds/app/app.ts';
import { createWorld } from '../../worlds/world.ts';
import { nameRecord } from '../data/record-names.ts';
import { readTables, type Row } from '../data/tables.ts';
import { forgeApp } from '../forge-app.ts';
import { chooseFrom, headOf, sideOfFlag } from './about-sentence.ts';
import { memberNoun } from './member-noun.ts';
import { depot } from '../../../test/fixtures/depot.ts';
import { isLong } from '../../../test/long-form.ts';

/** Instructions of some forged templates. */
function instructionsOf<S extends JsonObject>(
  app: App<S>,
  templates: readonly string[],
  seeds = isLong ? 20 : 8,
): string[] {
  const world = createWorld(forgeApp(app, { kinds: ['commands', 'conflicts', 'questions'] }));
  return templates.flatMap(id =>
    Array.from({ length: seeds }, (_, seed) => world.task(`${id}.forged`, seed + 1).instruction),
  );
}

describe('wording of forged tasks', () => {
  it.each([
    ['dueDate', '2026-03-01', 'due date'],
    ['placed', '2026-03-01', '"placed" date'],
    ['readOn', '2026-03-01', '"read on" date'],
    ['weightKg', 5, 'weight in kg'],
    ['pieces', 5, 'number of pieces'],
    ['loan', 'Piet Maas', 'borrower'],
    ['end', '2026-03-01', 'end'],
    ['points', 5, 'number of points'],
    ['address', 5, 'address'],
    ['notify by', 'Post', '"notify by" entry'],
    ['what', 'Clutch', '"what" entry'],
    ['author', 'Ada', 'author'],
    ['startsAt', '12:15', 'start time'],
    ['leaves', '2026-03-01', '"leaves" date'],
    ['until', '2026-03-01', 'end date'],
    ['bookedFor', '2026-03-01', '"booked for" date'],
  ])('[FORGE-27] the member %s with the value %s is a noun: %s', (member, value, noun) => {
    expect(memberNoun(member, value)).toBe(noun);
  });

  it.each([
    ['Give up a plot, so that somebody else can have it.', 'Give up a plot'],
    ['Record that a gardener has paid the fee.', 'Record that a gardener has paid the fee'],
    ['Make sure that a door is locked.', 'Make sure that a door is locked'],
    ['Cancel an order that is still processing.', 'Cancel an order'],
  ])('[FORGE-27] of what the author says, %s, a whole sentence stays', (about, sentence) => {
    expect(headOf(about)).toBe(sentence);
  });

  it('[FORGE-27] a choice takes the place of words, not of letters', () => {
    expect(chooseFrom('Set grade of a crate', ['A', 'B', 'C'], 'B')).toBe(null);
    expect(chooseFrom('Move it to the inbox or spam', ['inbox', 'spam'], 'spam')).toBe('Move it to spam');
    expect(chooseFrom('Move it to the inbox or spam', ['inbox', 'spam'], 'inbox')).toBe('Move it to the inbox');
  });

  it('[FORGE-27] a switch is turned off at the end of its sentence, not in its name', () => {
    const head = 'Switch "vehicles on board" of a sailing on or off';
    expect(sideOfFlag(head, false)).toBe('Switch "vehicles on board" of a sailing off');
  });

  it('[FORGE-27] sentences of mail, the shop and the tracker read like those of people', () => {
    const said = [
      ...instructionsOf(mail, ['set-signature', 'edit-label', 'favour-contact']),
      ...instructionsOf(shop, ['write-review', 'apply-coupon', 'compare', 'look-up', 'duplicate-name']),
      ...instructionsOf(tracker, ['set-estimate-scale', 'plan-issue', 'rename-label', 'stale-value']),
    ];
    const odd = [
      /\b1 stars/,
      /addresss/,
      /\b(?:core|web|mob) scale\b/,
      /the line\. Signature/,
      /\b(?:Put|Place|put|place) [^.]* to "/,
      /What placed|latest placed\?|points is/,
      /[A-Z0-9] code on the cart/,
      /Rename [^.]* with the name/,
      /is favourite/,
      /\."\. /,
      /of the label "([^"]+)" from "\1"/,
    ];
    expect(said.filter(text => odd.some(pattern => pattern.test(text)))).toEqual([]);
    expect(new Set(said).size).toBeGreaterThan(isLong ? 120 : 48);
  });

  it.each([
    [
      'withdraw-bus',
      /^(?:Take the bus "B-\d+" out of service|(?:Make sure|See to it) that the bus "B-\d+" is not in service)$/,
    ],
    ['refuel-bus', /^(?:Refuel the bus "B-\d+" with \d+ litres|.* the number of litres .*)$/],
    ['reassign-duty', /^Give the duty "R-\d+" to (?:the driver )?"\w+ \w+"$/],
    ['exchange-buses', /^Exchange the buses of (?:the duty )?"R-\d+" and (?:the duty )?"R-\d+"$/],
    ['collect-fee', /^(?:Record that (?:the staff member )?".+" has paid the fee|.+ that the fee of .*".+" is paid)$/],
    [
      'extend-loan',
      /^(?:Reschedule the loan of the bus "B-\d+" to the due date [\d-]+ and the time "[\d:]+"|.*(?:due date|start time) .*)$/,
    ],
  ])('[FORGE-27] %s of an app from outside reads like a sentence of people', (id, sentence) => {
    const said = instructionsOf(depot, [id]).map(text =>
      text.replace(/^(?:Please |Your task: )/, '').replace(/\.$/, ''),
    );
    const whole = said.map(text => `${text.charAt(0).toUpperCase()}${text.slice(1)}`);
    expect(whole.filter(text => !sentence.test(text))).toEqual([]);
  });

  it('[FORGE-27] no record goes by its state', () => {
    const loans = ['calm', 'nervous', 'angry', 'tired'].map((mood, index) => ({ id: `l${index}`, mood }));
    const tables = readTables({ loans });
    expect(nameRecord(tables, { table: 'loans', row: loans[0] as Row, owner: null })).toBe(null);
  });

  it('[FORGE-35] what may have been done already can be seen from the data', () => {
    const world = createWorld(forgeApp(depot, { kinds: ['chains', 'conflicts'] }));
    for (const id of ['partly-done.forged', 'already-done.forged'])
      for (let seed = 1; seed <= 12; seed++)
        expect(world.task(id, seed).instruction).not.toMatch(/[Ee]xchange|[Rr]efuel/);
  });

  it('[FORGE-3] a line of an order is named with the order that the call has', () => {
    const world = createWorld(forgeApp(shop, { kinds: ['commands'] }));
    for (let seed = 1; seed <= 40; seed++) {
      const { instruction, parameters } = world.task('return-item.forged', seed);
      const { order } = parameters['input'] as { order: string };
      expect(new Set(instruction.match(/SO-\d+/g))).toEqual(new Set([order]));
    }
  });

  it('[FORGE-27] sentences of made-up apps begin with a capital, and have their articles', () => {
    const apps = [2, 6, 9, 12].map(seed => createSynthApp(synthSpec(seed)));
    const own = apps.flatMap(app => {
      const world = createWorld(app);
      return world.templates.flatMap(({ id }) => [1, 2, 3].map(seed => world.task(id, seed).instruction));
    });
    const forged = apps.flatMap(app =>
      instructionsOf(
        app,
        app.commands.flatMap(({ name }) => (name.startsWith('set_') ? [name.replaceAll('_', '-')] : [])),
        3,
      ),
    );
    expect(own.filter(text => text.startsWith('the '))).toEqual([]);
    expect(forged.filter(text => /\bgr[A-D]rate|\b[Ss]et (?!the\b|its\b)\w+ of /.test(text))).toEqual([]);
  });
});
