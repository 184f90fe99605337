// A museum's store register: rooms, units and objects as a tree with breadcrumbs, condition grades and a pick list.
import {
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  need,
  page,
  region,
  remove,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const s = z.string();
const thing = z.object({ id: s, name: s, accession: s, unit: s, grade: s, donor: s, remark: s, picked: z.boolean() });
const unit = z.object({ id: s, name: s, room: s });
const state = z.object({
  things: z.array(thing),
  units: z.array(unit),
  ui: z.object({ room: s, unit: s, thing: s, sheet: z.enum(['', 'relocate', 'remark', 'picks']), draft: s, says: s }),
});
type Store = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const rooms = ['Basement', 'Textile room', 'Cold store', 'Attic'];
const grades = ['A sound', 'B stable', 'C fragile', 'D urgent'];
const stuff = ['Pewter', 'Walnut', 'Silk', 'Ivory', 'Brass', 'Linen', 'Slate', 'Enamel', 'Glass', 'Oak', 'Tin', 'Horn'];
const forms = ['tankard', 'fan', 'sampler', 'dial', 'snuffbox', 'bonnet', 'casket', 'figurine', 'lantern', 'quadrant'];
const donors = [
  'Mrs E. Thorne',
  'the Guild of Weavers',
  'Dr A. Lunt',
  'Captain Rees',
  'Holy Trinity Church',
  'Miss P. Orme',
  'the Cole family',
  'Sir J. Maddox',
  'the Harbour Board',
];
const remarks = [
  'Loose hinge',
  'Old moth damage',
  'Needs a new mount',
  'Label has fallen off',
  'Do not stack',
  'Photographed in spring',
  'Hairline crack at the base',
  'Handle with gloves',
  'Box is too small',
];

const relocate = command('relocate_object', {
  about: 'Move an object to another storage unit.',
  input: z.object({ id: s, unit: s }),
  run(draft, { id, unit: to }) {
    const { name, room } = need(draft.units, to, 'unit');
    need(draft.things, id, 'object').unit = to;
    Object.assign(draft.ui, { room, unit: to, sheet: '', says: `Relocated to ${name}` });
  },
});
const grade = command('grade_condition', {
  about: 'Set the condition grade of an object.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    need(draft.things, id, 'object').grade = value;
  },
});
const remark = command('save_remark', {
  about: 'Replace the remark on an object.',
  input: z.object({ id: s, remark: s.trim().min(1, 'write something') }),
  run(draft, { id, remark: words }) {
    need(draft.things, id, 'object').remark = words;
    Object.assign(draft.ui, { sheet: '', draft: '', says: 'Remark saved' });
  },
});
const pick = command('pick_object', {
  about: 'Put an object on the pick list, or take it off.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const wanted = need(draft.things, id, 'object');
    wanted.picked = !wanted.picked;
  },
});
const deaccession = command('deaccession', {
  about: 'Take an object out of the register for good.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.things, need(draft.things, id, 'object').id);
    Object.assign(draft.ui, { thing: '', says: 'Deaccessioned' });
  },
});
const register = query('read_register', {
  about: 'All objects and units.',
  input: z.object({}),
  run: ({ things, units }) => ({ things, units }),
});
const walk = gesture('walk_to', {
  about: 'Go to a room, a unit or an object.',
  input: z.object({ room: s, unit: s, thing: s }),
  run(draft, place) {
    Object.assign(draft.ui, place, { sheet: '', draft: '', says: '' });
  },
});
const sheet = gesture('open_sheet', {
  about: 'Open or close a sheet.',
  input: z.object({ which: z.enum(['', 'relocate', 'remark', 'picks']) }),
  run(draft, { which }) {
    Object.assign(draft.ui, { sheet: which, draft: '', says: '' });
  },
});
const write = gesture('write_remark', {
  about: 'Type the remark.',
  input: z.object({ value: s.max(80) }),
  run(draft, { value }) {
    draft.ui.draft = value;
  },
});

function leaf({ units, ui }: Store, { id, name, accession, donor, picked, ...it }: Store['things'][number]) {
  if (ui.sheet === 'relocate')
    return dialog(`Relocate ${name}`, [
      ...units.filter(other => other.id !== it.unit).map(to => button(to.name, relocate.with({ id, unit: to.id }))),
      button('Close sheet', sheet.with({ which: '' })),
    ]);
  if (ui.sheet === 'remark')
    return form(`Remark on ${name}`, [
      textbox('New remark', ui.draft, { enter: write.entering({}) }),
      button('Save remark', remark.with({ id, remark: ui.draft })),
      button('Close sheet', sheet.with({ which: '' })),
    ]);
  return region(accession, [
    heading(name),
    text(`Given by ${donor}`),
    text(it.remark === '' ? 'No remark' : `Remark: ${it.remark}`),
    combobox('Condition', it.grade, { enter: grade.entering({ id }), options: grades }),
    checkbox('On pick list', picked, pick.with({ id })),
    menu('Object', [
      menuItem('Relocate…', sheet.with({ which: 'relocate' })),
      menuItem('Write remark…', sheet.with({ which: 'remark' })),
      menuItem('Deaccession', deaccession.with({ id })),
    ]),
  ]);
}

function view(store: Store) {
  const { things, units, ui } = store;
  const [inside, open] = [find(units, ui.unit), find(things, ui.thing)];
  const top = { room: '', unit: '', thing: '' };
  return page('Store register', [
    navigation('You are in', [
      link('Museum', walk.with(top)),
      ui.room !== '' && link(ui.room, walk.with({ ...top, room: ui.room })),
      inside !== undefined && link(inside.name, walk.with({ ...top, room: ui.room, unit: inside.id })),
      button('Pick list', sheet.with({ which: 'picks' })),
    ]),
    ui.says !== '' && status(ui.says),
    ui.sheet === 'picks'
      ? list(
          'To fetch',
          things.filter(it => it.picked).map(it => checkbox(it.name, true, pick.with({ id: it.id }))),
        )
      : open !== undefined
        ? leaf(store, open)
        : inside !== undefined
          ? list(
              `Inside ${inside.name}`,
              things
                .filter(it => it.unit === inside.id)
                .map(({ id, name, grade: mark }) =>
                  listItem(mark, [link(name, walk.with({ room: ui.room, unit: ui.unit, thing: id }))]),
                ),
            )
          : ui.room !== ''
            ? list(
                `Units in ${ui.room}`,
                units
                  .filter(it => it.room === ui.room)
                  .map(({ id, name }) => link(name, walk.with({ ...top, room: ui.room, unit: id }))),
              )
            : list(
                'Rooms',
                rooms.map(room => link(room, walk.with({ ...top, room }))),
              ),
  ]);
}

type Random = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function any({ things, units }: Store, random: Random) {
  const { id, name, unit: where } = random.pick(things);
  const place = need(units, where, 'unit');
  return { id, name, room: place.room, place: place.name, unit: where, n: random.between(0, 5) };
}

const regrade = template('regrade', {
  about: 'Set the condition grade of an object that lies in a named unit.',
  split: 'train',
  sample: (store, random) => ({ ...any(store, random), to: random.pick(grades) }),
  setup(draft, { id, to }) {
    need(draft.things, id, 'object').grade = grades.find(other => other !== to) ?? '';
  },
  instruction: ({ n, name, place, room, to }) =>
    say(
      n,
      `${name}, ${place} (${room}): condition ${to}.`,
      `I checked the ${name} in the ${room}, ${place}. It is "${to}" now, please change the grade.`,
      `Grade the ${name} as ${to}. You find it in the ${room} in ${place}.`,
      `After the leak in the ${room}, ${name} (${place}) has to be graded ${to}.`,
      `Could you set the condition of ${name} to ${to}? ${room}, ${place}.`,
      `In ${place} of the ${room} there is the ${name}: its condition should read ${to}.`,
    ),
  checks: ({ id, to }) => [{ name: `its grade is ${to}`, test: final => find(final.things, id)?.grade === to }],
  allow: ({ id }) => [`/things/${id}/grade`],
});
const moveThing = template('relocate', {
  about: 'Move an object from one unit to another.',
  split: 'train',
  sample(store, random) {
    const start = any(store, random);
    const goal = random.pick(store.units.filter(({ id }) => id !== start.unit));
    return { ...start, goal: goal.id, to: goal.name };
  },
  instruction: ({ n, name, room, place, to }) =>
    say(
      n,
      `Relocate ${name}: ${place} -> ${to}.`,
      `The ${name} no longer fits in ${place} (${room}). It goes to ${to}.`,
      `I carried the ${name} out of ${place} in the ${room} and over to ${to}; please record it.`,
      `Please move ${name} to ${to}. At the moment it is in the ${room}, ${place}.`,
      `${to} is where the ${name} lives from now on, not ${place} in the ${room}.`,
      `We clear out ${place} in the ${room}. Give the ${name} a new home in ${to}.`,
    ),
  checks: ({ id, goal, to }) => [{ name: `it is in ${to}`, test: final => find(final.things, id)?.unit === goal }],
  allow: ({ id }) => [`/things/${id}/unit`],
});
const pickAndNote = template('pick-and-remark', {
  about: 'Put an object on the pick list and write a remark.',
  split: 'train',
  sample: (store, random) => ({ ...any(store, random), words: random.pick(remarks) }),
  setup(draft, { id }) {
    Object.assign(need(draft.things, id, 'object'), { picked: false, remark: '' });
  },
  instruction: ({ n, name, room, place, words }) =>
    say(
      n,
      `${room} / ${place} / ${name}: pick it, remark "${words}".`,
      `The curator wants the ${name} from ${place} in the ${room}. Pick list, and note on it: ${words}`,
      `Put the ${name} (${room}, ${place}) on the pick list and leave the remark "${words}" so that nobody is surprised.`,
      `I will fetch the ${name} tomorrow from ${room}, ${place}: put it on my list. Also write down "${words}".`,
      `Two things for ${name} in ${place}, ${room}, please. Remark: "${words}". And it belongs on the pick list.`,
      `"${words}" should stand as the remark on the ${name}, ${place}, ${room}, and it has to be picked.`,
    ),
  checks: ({ id, words }) => [
    { name: 'it is on the pick list', test: final => find(final.things, id)?.picked === true },
    { name: 'the remark is there', test: final => find(final.things, id)?.remark === words },
  ],
  allow: ({ id }) => [`/things/${id}/picked`, `/things/${id}/remark`],
});
const whoGave = template('who-gave-it', {
  about: 'Say who gave an object to the museum.',
  split: 'train',
  sample: any,
  instruction: ({ n, name, room, place }) =>
    say(
      n,
      `Who gave us the ${name}? It is in ${place}, ${room}.`,
      `Donor of ${name} (${room}, ${place})?`,
      `I am writing a thank-you letter for the ${name} in the ${room}, ${place}. To whom?`,
      `Find the donor of the ${name}; look in ${place} in the ${room}.`,
      `A visitor asks where the ${name} came from. Who was the giver? (${room}, ${place})`,
      `Please tell me who donated the ${name} that we keep in ${place} of the ${room}.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { things }) => need(things, id, 'object').donor,
  shown: ({ ui }, { id }) => ui.thing === id && ui.sheet === '',
});

export const app = defineApp({
  id: 'museum-store',
  title: 'Store register',
  about: 'Where a museum keeps what is not on show.',
  state,
  init(random) {
    const kinds = random.shuffle(['Cabinet', 'Rack', 'Drawer', 'Crate', 'Shelf', 'Chest', 'Trunk', 'Bay']);
    const units = kinds.map((kind, index) => ({
      id: `u${index}`,
      name: `${kind} ${random.between(2, 40)}`,
      room: rooms[index % 4] ?? '',
    }));
    const names = random.sample(
      stuff.flatMap(word => forms.map(form => `${word} ${form}`)),
      26,
    );
    const things = names.map((name, index) => ({
      id: `o${index}`,
      name,
      accession: `${random.between(1890, 2019)}.${random.between(1, 99)}`,
      unit: random.pick(units).id,
      grade: random.pick(grades),
      donor: random.pick(donors),
      remark: random.chance(0.3) ? random.pick(remarks) : '',
      picked: random.chance(0.2),
    }));
    return { things, units, ui: { room: '', unit: '', thing: '', sheet: '' as const, draft: '', says: '' } };
  },
  commands: [relocate, grade, remark, pick, deaccession, register, walk, sheet, write],
  view,
  templates: [regrade, moveThing, pickAndNote, whoGave],
  onRefusal(draft, message) {
    draft.ui.says = message;
  },
});
