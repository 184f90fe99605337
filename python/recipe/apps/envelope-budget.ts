// A household budget in envelopes: money set aside, spendings to sort, and moving money in three steps.
import { added, alert, appKit, button, cell, combobox, defineApp, find, form, heading, menuItem } from 'espalier';
import { navigation, need, nextId, page, refuse, row, switchButton, table, text, textbox, z } from 'espalier';

const str = z.string();
const state = z.object({
  envelopes: z.array(z.object({ id: str, left: z.int(), keeps: z.boolean() })),
  spendings: z.array(z.object({ id: str, at: str, euro: z.int(), envelope: str })),
  ui: z.object({ screen: str, open: str, step: z.int(), to: str, shop: str, euro: str, error: str }),
});
type Budget = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const euros = z.string().regex(/^\d{1,4}$/, 'whole euros, please');

const keep = command('toggle_rollover', {
  about: 'Let an envelope keep what is left at the end of the month, or not.',
  input: z.object({ id: str }),
  run: (draft, { id }) => void (need(draft.envelopes, id, 'envelope').keeps = !find(draft.envelopes, id)?.keeps),
});
const sort = command('sort_spending', {
  about: 'Sort a spending into an envelope.',
  input: z.object({ id: str, value: str }),
  run(draft, { id, value }) {
    need(draft.spendings, id, 'spending').envelope = need(draft.envelopes, value, 'envelope').id;
  },
});
const move = command('move_money', {
  about: 'Move money from one envelope to another.',
  input: z.object({ from: str, to: str, euro: euros }),
  run(draft, { from, to, euro }) {
    const [giver, taker] = [need(draft.envelopes, from, 'envelope'), need(draft.envelopes, to, 'envelope')];
    if (giver.left < Number(euro) || giver === taker) refuse(`${from} cannot give that.`);
    giver.left -= Number(euro);
    taker.left += Number(euro);
    Object.assign(draft.ui, { step: 0, open: '', to: '', euro: '', error: '' });
  },
});
const spend = command('note_spending', {
  about: 'Note a spending that still has to be sorted.',
  input: z.object({ at: z.string().trim().min(1, 'where was it?'), euro: euros }),
  run(draft, { at, euro }) {
    draft.spendings.unshift({ id: nextId(draft.spendings, 's'), at, euro: Number(euro), envelope: '' });
    Object.assign(draft.ui, { shop: '', euro: '', error: '' });
  },
});
const books = query('read_books', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const turn = gesture('turn_to', {
  about: 'Turn to a screen, or to a step of moving money.',
  input: z.object({ screen: str, open: str, step: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, { ...input, error: '' }),
});
const fill = gesture('fill_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['to', 'shop', 'euro']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const envelopes = (all: Budget['envelopes']) =>
  table(
    'Envelopes',
    all.map(({ id, left, keeps }) =>
      row(id, [
        cell(`${id}: ${left} EUR left`),
        switchButton(`${id} rolls over`, keeps, keep.with({ id })),
        button(`Take from ${id}`, turn.with({ screen: 'Envelopes', open: id, step: 1 })),
      ]),
    ),
  );
const moving = ({ envelopes: all, ui: { open, step, to, euro } }: Budget) => [
  heading(`Move money out of ${open}`),
  step === 1 &&
    combobox('Into', to, {
      enter: fill.entering({ field: 'to' }),
      options: all.map(({ id }) => id).filter(id => id !== open),
    }),
  step === 2 && textbox('Euros to move', euro, { enter: fill.entering({ field: 'euro' }) }),
  step === 3 && text(`${euro} EUR from ${open} into ${to}`),
  step < 3 && button('Next', turn.with({ screen: 'Envelopes', open, step: step + 1 })),
  step === 3 && button('Move it', move.with({ from: open, to, euro })),
  button('Never mind', turn.with({ screen: 'Envelopes', open: '', step: 0 })),
];
const spendings = ({ spendings: all, envelopes: into, ui }: Budget) => [
  form('New spending', [
    textbox('Where', ui.shop, { enter: fill.entering({ field: 'shop' }) }),
    textbox('Euros', ui.euro, { enter: fill.entering({ field: 'euro' }) }),
    button('Note it', spend.with({ at: ui.shop, euro: ui.euro })),
  ]),
  table(
    'Spendings',
    all.map(({ id, at, euro, envelope }) =>
      row(at, [
        cell(`${euro} EUR at ${at}`),
        combobox(`Envelope for ${at}`, envelope, { enter: sort.entering({ id }), options: into.map(one => one.id) }),
      ]),
    ),
  ),
];

const purposes = 'Rent,Food,Petrol,Holidays,Presents,Clothes,Pets,Hobbies,Repairs,Doctor,Garden,Schoolbooks'.split(',');
const shops =
  'Aldente,Bookworm,Citygas,Dogmart,Elektra,Florist Wu,Gymbox,Hatstand,Inkpot,Joya,Kiosk 9,Lidia,Mobil'.split(',');
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const shift = template('move-money', {
  ...train('Move money from one envelope to another.'),
  sample({ envelopes: all }, random) {
    const [a, b] = random.sample(all, 2);
    return a && b ? { a: a.id, b: b.id, euro: String(random.between(5, 40)), way: random.between(0, 5) } : null;
  },
  instruction: say(`I'd like {b} to have {euro} euros more, and {a} can spare them.
    We spend less on {a} this month, so let's put {euro} of that into {b}. | Move {euro} EUR from {a} to {b}.
    {b} is nearly empty. Take {euro} euros out of {a} for it, please. | {a} -> {b}: {euro}
    Could you shift {euro} euros over from the {a} envelope into {b}?`),
  checks: ({ a, b, euro }) => [
    {
      name: `${b} got it`,
      test: (s, old) => find(s.envelopes, b)?.left === need(old.envelopes, b, '').left + Number(euro),
    },
    {
      name: `${a} gave it`,
      test: (s, old) => find(s.envelopes, a)?.left === need(old.envelopes, a, '').left - Number(euro),
    },
  ],
  allow: ({ a, b }) => [`/envelopes/${a}/left`, `/envelopes/${b}/left`],
});
const sortOne = template('sort-spending', {
  ...train('Sort a spending into an envelope.'),
  sample({ spendings: all, envelopes: into }, random) {
    const { id, at, euro, envelope } = random.pick(all);
    return { id, at, euro, to: random.pick(into.filter(one => one.id !== envelope)).id, way: random.between(0, 5) };
  },
  instruction: say(`Why is {at} in the wrong envelope? It should be {to}.
    Please file the spending at {at} under {to}, I bought it for that. | {at} belongs to {to}. | {at} => {to}
    The {euro} euros at {at} were for {to}, sort them there please. | What I paid at {at} has to come out of {to}.`),
  checks: ({ id, to }) => [{ name: `it is in ${to}`, test: s => find(s.spendings, id)?.envelope === to }],
  allow: ({ id }) => [`/spendings/${id}/envelope`],
});
const fullest = template('fullest-rolls-over', {
  ...train('Let the envelope with the most money roll over.'),
  sample({ envelopes: all }, random) {
    const most = random.chance(0.5);
    const [first, next] = all.toSorted((a, b) => (most ? b.left - a.left : a.left - b.left));
    if (!first || first.left === next?.left) return null;
    return { id: first.id, which: most ? 'most' : 'least', way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.envelopes, id, 'envelope').keeps = false),
  instruction: say(`Which envelope has the {which} left? Please make it roll over.
    I don't want to lose it at the end of the month: let the envelope with the {which} money roll over.
    Look for the envelope that has the {which} money in it, that one should roll over.
    The envelope holding the {which} euros shall keep them next month. | roll over: the one with the {which} left
    Turn on roll over for the envelope with the {which} money left.`),
  checks: ({ id }) => [{ name: `${id} rolls over`, test: s => find(s.envelopes, id)?.keeps === true }],
  allow: ({ id }) => [`/envelopes/${id}/keeps`],
});
const spent = template('how-much-spent', {
  ...train('Say how much was spent at a place.'),
  sample: ({ spendings: all }, random) => ({ ...random.pick(all), way: random.between(0, 5) }),
  instruction: say(`How many euros did we spend at {at}? | euros at {at}?
    My partner asks what {at} cost us. How many euros was it? | Please look up what I paid at {at}, only the number.
    I lost the receipt from {at}. How much was it in euros? | Was {at} expensive? Tell me the amount in euros.`),
  ...looksOnly,
  answer: ({ euro }) => String(euro),
  shown: ({ ui }) => ui.screen === 'Spendings',
});
const note = template('note-spending', {
  ...train('Note a new spending.'),
  sample({ spendings: all }, random) {
    const at = random.pick(shops.filter(one => !all.some(other => other.at === one)));
    return { at, euro: String(random.between(4, 180)), way: random.between(0, 5) };
  },
  instruction: say(`Please write down {euro} euros for {at}, I'll sort it later.
    Before I forget it, put {euro} euros at {at} among the spendings. | Spent {euro} at {at}. | {at} {euro} EUR, new
    I was at {at} today and left {euro} euros there. Note it. | New spending: {euro} euros at {at}. No envelope yet.`),
  checks: ({ at, euro }) => [
    {
      name: 'it was noted once',
      test(final, initial) {
        const [made, ...more] = added(initial.spendings, final.spendings);
        return made?.at === at && made.euro === Number(euro) && made.envelope === '' && more.length === 0;
      },
    },
  ],
  allow: () => ['/spendings/+'],
});

export const app = defineApp({
  id: 'envelope-budget',
  title: 'Envelope budget',
  about: 'Money of a household in envelopes, and what was spent.',
  state,
  init: random => {
    const ids = random.sample(purposes, 9);
    return {
      envelopes: ids.map(id => ({ id, left: random.between(45, 400), keeps: random.chance(0.4) })),
      spendings: random.sample(shops, 11).map((at, index) => ({
        id: `s${index + 1}`,
        at,
        euro: random.between(3, 190),
        envelope: random.chance(0.5) ? '' : random.pick(ids),
      })),
      ui: { screen: 'Envelopes', open: '', step: 0, to: '', shop: '', euro: '', error: '' },
    };
  },
  commands: [keep, sort, move, spend, books, turn, fill],
  view: budget =>
    page('Household money', [
      navigation(
        'Book',
        ['Envelopes', 'Spendings'].map(screen => menuItem(screen, turn.with({ screen, open: '', step: 0 }))),
      ),
      budget.ui.error !== '' && alert(budget.ui.error),
      ...(budget.ui.step > 0
        ? moving(budget)
        : budget.ui.screen === 'Envelopes'
          ? [envelopes(budget.envelopes)]
          : spendings(budget)),
    ]),
  templates: [shift, sortOne, fullest, spent, note],
  onRefusal: (draft, message) => void (draft.ui.error = message),
});
