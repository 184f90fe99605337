// A letting agent's desk: flats narrowed by district, rooms and pets, a page per flat, viewings and keys on hooks.
import {
  added,
  alert,
  appKit,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  paginate,
  region,
  remove,
  status,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const s = z.string();
const flat = z.object({ id: s, address: s, district: s, rooms: z.int(), rent: s, pets: z.boolean(), state: s, key: s });
const viewing = z.object({ id: s, flat: s, who: s, when: s });
const tabs = ['Flats', 'Viewings', 'Key board'] as const;
const state = z.object({
  flats: z.array(flat),
  viewings: z.array(viewing),
  ui: z.object({
    tab: z.enum(tabs),
    district: s,
    rooms: s,
    pets: z.boolean(),
    page: z.int(),
    flat: s,
    who: s,
    when: s,
    rent: s,
    toast: s,
  }),
});
type Desk = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const streets = [
  'Alder Row',
  'Canal Street',
  'Foundry Lane',
  'Gull Terrace',
  'Mill Yard',
  'Orchard Close',
  'Pier Road',
  'Regent Mews',
  'Station Walk',
  'Weir Gardens',
];
const districts = ['Old Town', 'Harbourside', 'Northgate', 'The Meads', 'Kilnhurst'];
const people = [
  'Mr Adeyemi',
  'Ms Brandt',
  'Mrs Chaudhry',
  'Mr Delacroix',
  'Ms Ekström',
  'Mr Feeney',
  'Ms Galli',
  'Mr Huang',
  'Mrs Ibsen',
  'Ms Jarvis',
  'Mr Kumar',
  'Mrs Lopes',
  'Ms Moreau',
  'Mr Nkosi',
];
const times = ['Mon 10:00', 'Mon 17:30', 'Tue 09:15', 'Tue 18:00', 'Wed 12:30', 'Thu 16:45', 'Fri 11:00', 'Sat 10:30'];
const areas = ['Anywhere', ...districts];
const phases = ['Available', 'Under offer', 'Let', 'Withdrawn'];

const mark = command('mark_flat', {
  about: 'Mark a flat as available, under offer, let or withdrawn.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    need(draft.flats, id, 'flat').state = value;
  },
});
const reprice = command('change_rent', {
  about: 'Change the monthly rent of a flat.',
  input: z.object({ id: s, rent: s.regex(/^\d+$/, 'digits only') }),
  run(draft, { id, rent }) {
    need(draft.flats, id, 'flat').rent = rent;
    Object.assign(draft.ui, { rent: '', toast: 'Rent changed.' });
  },
});
const arrange = command('arrange_viewing', {
  about: 'Arrange a viewing of a flat.',
  input: z.object({ flat: s, who: s.trim().min(1, 'who comes?'), when: s.min(1, 'when?') }),
  run(draft, input) {
    draft.viewings.push({ id: nextId(draft.viewings, 'v'), ...input });
    Object.assign(draft.ui, { who: '', when: '', toast: 'Viewing arranged.' });
  },
});
const cancel = command('cancel_viewing', {
  about: 'Cancel a viewing.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.viewings, need(draft.viewings, id, 'viewing').id);
  },
});
const all = query('list_flats', {
  about: 'List all flats and viewings.',
  input: z.object({}),
  run: ({ flats, viewings }) => ({ flats, viewings }),
});
const turn = gesture('turn_to', {
  about: 'Turn to a tab, a flat, a page of the list, or to flats where pets are welcome.',
  input: z.object({ tab: z.enum(tabs), flat: s, page: z.int(), pets: z.boolean() }),
  run(draft, to) {
    Object.assign(draft.ui, to, { who: '', when: '', rent: '', toast: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Narrow the list of flats.',
  input: z.object({ by: z.enum(['district', 'rooms']), value: s }),
  run(draft, { by, value }) {
    Object.assign(draft.ui, { [by]: value, page: 1 });
  },
});
const fillIn = gesture('fill_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['who', 'when', 'rent']), value: s.max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function flats({ flats: every, ui }: Desk) {
  const fitting = every.filter(
    ({ district, rooms, pets }) =>
      (ui.district === 'Anywhere' || district === ui.district) &&
      (ui.rooms === 'Any' || `${rooms}` === ui.rooms) &&
      (!ui.pets || pets),
  );
  const here = { tab: 'Flats', flat: '', page: ui.page, pets: ui.pets } as const;
  const sheet = paginate(fitting, ui.page, 6);
  return region('Our flats', [
    combobox('District', ui.district, { enter: narrow.entering({ by: 'district' }), options: areas }),
    combobox('Rooms', ui.rooms, { enter: narrow.entering({ by: 'rooms' }), options: ['Any', '1', '2', '3', '4'] }),
    checkbox('Pets welcome', ui.pets, turn.with({ ...here, page: 1, pets: !ui.pets })),
    list(
      `${sheet.total} fit`,
      sheet.items.map(({ id, address, district, rooms, pets }) =>
        listItem(`${district}, ${rooms} rooms${pets ? ', pets welcome' : ''}`, [
          link(address, turn.with({ ...here, flat: id })),
        ]),
      ),
    ),
    sheet.page > 1 && button('Earlier', turn.with({ ...here, page: sheet.page - 1 })),
    sheet.page < sheet.pages && button('More flats', turn.with({ ...here, page: sheet.page + 1 })),
  ]);
}

function particulars({ viewings, ui }: Desk, { id, address, rent, state: phase }: Desk['flats'][number]) {
  return region('Particulars', [
    heading(address),
    text(`£${rent} a month`),
    combobox('Status', phase, { enter: mark.entering({ id }), options: phases }),
    form('Change rent', [
      textbox('New rent', ui.rent, { enter: fillIn.entering({ field: 'rent' }) }),
      button('Set rent', reprice.with({ id, rent: ui.rent })),
    ]),
    form(`Viewings so far: ${viewings.filter(it => it.flat === id).length}`, [
      textbox('Applicant', ui.who, { enter: fillIn.entering({ field: 'who' }) }),
      combobox('Time', ui.when, { enter: fillIn.entering({ field: 'when' }), options: times }),
      button('Arrange viewing', arrange.with({ flat: id, who: ui.who, when: ui.when })),
    ]),
  ]);
}

function view(desk: Desk) {
  const { flats: every, viewings, ui } = desk;
  const open = find(every, ui.flat);
  const top = { flat: '', page: 1, pets: false };
  return page('Letting desk', [
    toolbar(
      'Desk',
      tabs.map(to => tab(to, turn.with({ tab: to, ...top }), ui.tab === to ? ['selected'] : [])),
    ),
    ui.toast !== '' && alert(ui.toast),
    ui.tab === 'Flats' && (open === undefined ? flats(desk) : particulars(desk, open)),
    ui.tab === 'Viewings' &&
      list(
        'Diary',
        viewings.map(({ id, flat: of, who, when }) =>
          listItem(`${when}, ${who}, ${find(every, of)?.address ?? ''}`, [
            button(`Cancel ${who} ${when}`, cancel.with({ id })),
          ]),
        ),
      ),
    ui.tab === 'Key board' &&
      list(
        'Hooks',
        every.map(({ address, key }) => status(`${key}: ${address}`)),
      ),
  ]);
}

const markFlat = template('mark-flat', {
  about: 'Change the status of a flat found by its address and district.',
  split: 'train',
  sample({ flats: every }, random) {
    const { id, address, district, rooms } = random.pick(every);
    return { id, address, district, rooms: `${rooms}`, to: random.pick(phases), n: random.between(0, 5) };
  },
  setup(draft, { id, to }) {
    need(draft.flats, id, 'flat').state = phases.find(other => other !== to) ?? '';
  },
  instruction: ({ n, address, district, rooms, to }) =>
    say(
      n,
      `${address}, ${district}: ${to}.`,
      `Set the status of ${address} to "${to}", it is the ${rooms}-room one in ${district}.`,
      `The owner of ${address} (${district}) rang. The flat counts as ${to} from today, please change that.`,
      `Mark the flat at ${address} in ${district} as ${to}.`,
      `Our site still shows the wrong status for ${address}, ${district}; it should be ${to}.`,
      `Would you make ${address} ${to}? ${rooms} rooms, ${district}.`,
    ),
  checks: ({ id, to }) => [{ name: `the flat is ${to}`, test: final => find(final.flats, id)?.state === to }],
  allow: ({ id }) => [`/flats/${id}/state`],
});
const newRent = template('change-rent', {
  about: 'Change the rent of the only flat that fits a wish.',
  split: 'train',
  sample({ flats: every }, random) {
    const { id, address, district, rooms } = random.pick(every);
    const alone = every.filter(it => it.district === district && it.rooms === rooms).length === 1;
    const rent = `${random.between(30, 120) * 20 + 5}`;
    return { id, address, district, rooms: `${rooms}`, rent, n: alone ? random.between(0, 6) : random.between(0, 2) };
  },
  instruction: ({ n, address, district, rooms, rent }) =>
    say(
      n,
      `Rent of ${address} (${district}) is ${rent} now.`,
      `The landlady of ${address} in ${district} wants ${rent} a month instead. Please update it.`,
      `Could you put the rent at ${rent} for ${address}, ${district}?`,
      `We have just one flat with ${rooms} rooms in ${district}. Its new rent is ${rent}.`,
      `Raise or lower it, I don't care: the ${rooms}-room flat in ${district} must cost ${rent}.`,
      `${district}, ${rooms} rooms: change rent to ${rent}.`,
      `Nobody applied for the ${rooms}-room place in ${district}, so let us ask ${rent} a month.`,
    ),
  checks: ({ id, rent }) => [{ name: `the rent is ${rent}`, test: final => find(final.flats, id)?.rent === rent }],
  allow: ({ id }) => [`/flats/${id}/rent`],
});
const swapViewing = template('swap-viewing', {
  about: 'Cancel the viewing of one person and arrange one for another.',
  split: 'train',
  sample({ flats: every, viewings }, random) {
    const gone = random.pick(viewings);
    const { id, address, district } = random.pick(every);
    const who = random.pick(people.filter(it => viewings.every(other => other.who !== it)));
    const at = { old: gone.id, out: gone.who, was: gone.when, when: random.pick(times) };
    return { id, address, district, who, ...at, n: random.between(0, 5) };
  },
  instruction: ({ n, out, was, who, address, district, when }) =>
    say(
      n,
      `Cancel ${out} ${was}. New viewing: ${who}, ${when}, ${address} (${district}).`,
      `${out} can't make ${was}, please cancel. ${who} would like to see ${address} in ${district} at ${when}.`,
      `Arrange for ${who} to view ${address}, ${district}, ${when}, and drop the ${was} viewing of ${out}.`,
      `Diary: ${out} (${was}) is off. ${who} sees ${address} in ${district} ${when}.`,
      `As ${out} has found a place, the viewing ${was} is not needed. ${who} gets one: ${when}, ${address}, ${district}.`,
      `Could you put ${who} down for ${address} (${district}) on ${when}? And take ${out} off ${was}.`,
    ),
  checks: ({ id, who, when, old }) => [
    { name: 'the old viewing is cancelled', test: final => find(final.viewings, old) === undefined },
    {
      name: 'one viewing was arranged as told',
      test(final, initial) {
        const [made, ...more] = added(initial.viewings, final.viewings);
        return made?.flat === id && made.who === who && made.when === when && more.length === 0;
      },
    },
  ],
  allow: ({ old }) => ['/viewings/+', `/viewings/${old}`],
});
const askRent = template('what-rent', {
  about: 'Say what a flat costs.',
  split: 'train',
  sample({ flats: every }, random) {
    const { id, address, district } = random.pick(every);
    return { id, address, district, n: random.between(0, 5) };
  },
  instruction: ({ n, address, district }) =>
    say(
      n,
      `Rent of ${address}, ${district}?`,
      `What does ${address} in ${district} cost a month?`,
      `A caller asks for the rent of ${address} (${district}). What do I say?`,
      `How many pounds a month is ${address}, ${district}?`,
      `Tell me the monthly rent at ${address}; it is in ${district}.`,
      `Please look up what we ask for ${address} in ${district}.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { flats: every }) => need(every, id, 'flat').rent,
  shown: ({ ui }, { id }) => ui.flat === id,
});

export const app = defineApp({
  id: 'letting-desk',
  title: 'Letting desk',
  about: 'The desk of a letting agent.',
  state,
  init(random) {
    const addresses = random.sample(
      streets.flatMap(street => [2, 7, 11, 24, 38].map(no => `${no} ${street}`)),
      22,
    );
    const flats = addresses.map((address, index) => ({
      id: `f${index}`,
      address,
      district: random.pick(districts),
      rooms: random.between(1, 4),
      pets: random.chance(0.4),
      rent: `${random.between(30, 120) * 20}`,
      state: random.pick(phases),
      key: `Hook ${index + 1}`,
    }));
    const viewings = random.sample(people, 7).map((who, index) => ({
      id: `v${index + 1}`,
      flat: random.pick(flats).id,
      who,
      when: random.pick(times),
    }));
    const fields = { district: 'Anywhere', rooms: 'Any', pets: false, page: 1, flat: '', who: '', when: '', rent: '' };
    return { flats, viewings, ui: { tab: 'Flats' as const, ...fields, toast: '' } };
  },
  commands: [mark, reprice, arrange, cancel, all, turn, narrow, fillIn],
  view,
  templates: [markFlat, newRent, swapViewing, askRent],
  onRefusal(draft, message) {
    draft.ui.toast = message;
  },
});
