import {
  added,
  alert,
  appKit,
  banner,
  button,
  cell,
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
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const bays = ['Station yard', 'Station road', 'Market cross', 'Hospital gate', 'Elm park', 'Elm terrace'];
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const parts = ['morning', 'afternoon', 'evening'];

const state = z.object({
  cars: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      make: z.string(),
      bay: z.string(),
      seats: z.int(),
      charge: z.int(),
      cents: z.int(),
      towbar: z.boolean(),
      blocked: z.boolean(),
    }),
  ),
  rides: z.array(
    z.object({
      id: z.string(),
      car: z.string(),
      member: z.string(),
      weekday: z.string(),
      part: z.string(),
      pin: z.string(),
    }),
  ),
  reports: z.array(z.object({ id: z.string(), car: z.string(), words: z.string(), towed: z.boolean() })),
  ui: z.object({
    bay: z.string(),
    towOnly: z.boolean(),
    car: z.string().nullable(),
    ride: z.string().nullable(),
    pane: z.enum(['none', 'reserve', 'damage', 'drop']),
    plan: z.object({ member: z.string(), weekday: z.string(), part: z.string() }),
    words: z.string(),
    towed: z.boolean(),
    beep: z.string(),
  }),
});
type Club = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const members = [
  'Ida Kroll',
  'Ida Krull',
  'Nils Aho',
  'Niels Aho',
  'Oona Pike',
  'Rafe Pike',
  'Sunil Rao',
  'Sunita Rao',
];

const reserve = command('reserve_car', {
  about: 'Reserve a car for a member.',
  input: z.object({ car: z.string(), member: z.string(), weekday: z.string(), part: z.string() }),
  run(draft, { car, member, weekday, part }) {
    const wanted = need(draft.cars, car, 'car');
    if (wanted.blocked) refuse(`${wanted.name} is blocked until the workshop has seen it.`);
    if (!members.includes(member)) refuse('Who drives?');
    if (!weekdays.includes(weekday) || !parts.includes(part)) refuse('When?');
    if (draft.rides.some(each => each.car === car && each.weekday === weekday && each.part === part))
      refuse(`${wanted.name} is taken then.`);
    draft.rides.push({ id: nextId(draft.rides, 'r'), car, member, weekday, part, pin: 'comes by text message' });
    draft.ui.pane = 'none';
  },
});
const drop = command('drop_ride', {
  about: 'Drop a reservation.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.rides, id, 'ride');
    draft.rides = draft.rides.filter(each => each.id !== id);
    Object.assign(draft.ui, { ride: null, pane: 'none' });
  },
});
const repark = command('repark', {
  about: 'Write down in which bay a car stands.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!bays.includes(value)) refuse('The club has no such bay.');
    need(draft.cars, id, 'car').bay = value;
  },
});
const block = command('block_car', {
  about: 'Block a car, or free it for reservations.',
  input: z.object({ id: z.string(), blocked: z.boolean() }),
  run(draft, { id, blocked }) {
    need(draft.cars, id, 'car').blocked = blocked;
  },
});
const damage = command('report_damage', {
  about: 'Report damage to a car.',
  input: z.object({ car: z.string(), words: z.string().trim().min(1, 'What happened?'), towed: z.boolean() }),
  run(draft, { car, words, towed }) {
    need(draft.cars, car, 'car');
    draft.reports.push({ id: nextId(draft.reports, 'd'), car, words, towed });
    Object.assign(draft.ui, { pane: 'none', words: '', towed: false });
  },
});
const allCars = query('cars_and_rides', {
  about: 'All cars of a bay with their reservations.',
  input: z.object({ bay: z.string() }),
  run: ({ cars, rides }, { bay }) =>
    cars.filter(car => car.bay === bay).map(car => ({ ...car, rides: rides.filter(ride => ride.car === car.id) })),
});
const stand = gesture('stand_at', {
  about: 'Show the cars of a bay.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.bay = value;
  },
});
const tow = gesture('towbar_only', {
  about: 'Show only cars with a towbar, or all.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.towOnly = on;
  },
});
const openCar = gesture('open_car', {
  about: 'Open a car, or go back to the map.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, {
      car: id,
      ride: null,
      pane: 'none',
      words: '',
      towed: false,
      beep: '',
      plan: { member: '', weekday: '', part: '' },
    });
  },
});
const openRide = gesture('open_ride', {
  about: 'Open a reservation.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { ride: id, pane: 'none', beep: '' });
  },
});
const pane = gesture('show_pane', {
  about: 'Show a form.',
  input: z.object({ pane: z.enum(['none', 'reserve', 'damage', 'drop']) }),
  run(draft, input) {
    draft.ui.pane = input.pane;
  },
});
const plan = gesture('plan_ride', {
  about: 'Fill in a reservation.',
  input: z.object({ field: z.enum(['member', 'weekday', 'part']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui.plan[field] = value;
  },
});
const describe = gesture('describe_damage', {
  about: 'Describe the damage.',
  input: z.object({ value: z.string().max(80) }),
  run(draft, { value }) {
    draft.ui.words = value;
  },
});
const wasTowed = gesture('was_towed', {
  about: 'Say whether the car was towed.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.towed = on;
  },
});

function map({ cars, ui }: Club) {
  const here = cars.filter(({ bay, towbar }) => (ui.bay === 'all bays' || bay === ui.bay) && (!ui.towOnly || towbar));
  return region('Map', [
    combobox('Bay', ui.bay, { enter: stand.entering({}), options: ['all bays', ...bays] }),
    checkbox('Towbar only', ui.towOnly, tow.with({ on: !ui.towOnly })),
    table(
      `${here.length} cars`,
      here.map(({ id, name, make, bay, seats, charge, cents, blocked, towbar }) =>
        row(name, [
          link(name, openCar.with({ id })),
          cell(make),
          cell(bay),
          cell(`${seats} seats${towbar ? ', towbar' : ''}`),
          cell(`charged ${charge} %`),
          cell(`${cents} ct/km`),
          cell(blocked ? 'blocked' : 'bookable'),
        ]),
      ),
      { shuffle: true },
    ),
  ]);
}
function carSheet({ rides, reports, ui }: Club, car: Club['cars'][number]) {
  const { id, name, make, bay, seats, charge, blocked } = car;
  const ride = find(rides, ui.ride ?? '');
  if (ride !== undefined && ui.pane === 'drop')
    return dialog('Drop this reservation?', [
      text(`${ride.member}, ${ride.weekday} ${ride.part}, ${name}`),
      button('Drop it', drop.with({ id: ride.id })),
      button('Keep it', pane.with({ pane: 'none' })),
    ]);
  if (ride !== undefined)
    return region('Reservation', [
      heading(`${ride.member} drives ${name}`),
      text(`${ride.weekday} ${ride.part}`),
      text(`Key safe: ${ride.pin}`),
      button('Drop…', pane.with({ pane: 'drop' })),
      link(`Back to ${name}`, openRide.with({ id: null })),
    ]);
  if (ui.pane === 'reserve')
    return form(`Reserve ${name}`, [
      combobox('Driver', ui.plan.member, { enter: plan.entering({ field: 'member' }), options: members }),
      combobox('Weekday', ui.plan.weekday, { enter: plan.entering({ field: 'weekday' }), options: weekdays }),
      combobox('Part of the day', ui.plan.part, { enter: plan.entering({ field: 'part' }), options: parts }),
      button('Take the key', reserve.with({ car: id, ...ui.plan })),
      button('Not now', pane.with({ pane: 'none' })),
    ]);
  if (ui.pane === 'damage')
    return form(`Damage to ${name}`, [
      textbox('What happened', ui.words, { enter: describe.entering({}) }),
      checkbox('It had to be towed', ui.towed, wasTowed.with({ on: !ui.towed })),
      button('Send to the workshop', damage.with({ car: id, words: ui.words, towed: ui.towed })),
      button('Not now', pane.with({ pane: 'none' })),
    ]);
  return region(name, [
    heading(`${name}, ${make}`),
    text(`${seats} seats, charged ${charge} %`),
    status(blocked ? 'Blocked' : 'Bookable'),
    combobox('Stands at', bay, { enter: repark.entering({ id }), options: bays }),
    list(
      'Week',
      rides
        .filter(each => each.car === id)
        .map(each =>
          listItem(each.weekday, [
            link(`${each.weekday} ${each.part}: ${each.member}`, openRide.with({ id: each.id })),
          ]),
        ),
    ),
    list(
      'Damage',
      reports.filter(each => each.car === id).map(({ words, towed }) => text(`${words}${towed ? ' (towed)' : ''}`)),
    ),
    !blocked && button('Reserve…', pane.with({ pane: 'reserve' })),
    button('Damage…', pane.with({ pane: 'damage' })),
    button(blocked ? 'Free for reservations' : 'Block', block.with({ id, blocked: !blocked })),
    link('Back to the map', openCar.with({ id: null })),
  ]);
}

const reserveOne = template('reserve-a-car', {
  about: 'Reserve a car for a member; a blocked car has to be freed first.',
  split: 'train',
  sample({ cars, rides }, random) {
    const car = random.pick(cars);
    const [weekday, part] = [random.pick(weekdays), random.pick(parts)];
    if (rides.some(each => each.car === car.id && each.weekday === weekday && each.part === part)) return null;
    return { id: car.id, car: car.name, member: random.pick(members), weekday, part, blocked: random.chance(0.4) };
  },
  setup(draft, { id, blocked }) {
    need(draft.cars, id, 'car').blocked = blocked;
  },
  instruction: ({ car, member, weekday, part, blocked }, random) =>
    random.pick([
      `${member} takes ${car} on ${weekday}, ${part}.${blocked ? ' The workshop has mended it: free it first.' : ''}`,
      `Reserve ${car}: ${weekday} ${part}, driver ${member}.${blocked ? ' It can be freed, the repair is done.' : ''}`,
      `${member} has to move a sofa and wants ${car} for the ${part} of ${weekday}.${blocked ? ' The car need not be blocked any longer.' : ''}`,
    ]),
  checks: ({ id, member, weekday, part, blocked }) => [
    ...(blocked ? [{ name: 'the car is free', test: (final: Club) => find(final.cars, id)?.blocked === false }] : []),
    {
      name: 'one ride was reserved, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.rides, final.rides);
        return (
          more.length === 0 &&
          made?.car === id &&
          made.member === member &&
          made.weekday === weekday &&
          made.part === part
        );
      },
    },
  ],
  allow: ({ id, blocked }) => (blocked ? ['/rides/+', `/cars/${id}/blocked`] : ['/rides/+']),
});
const dropOne = template('drop-a-ride', {
  about: 'Drop a reservation of a member.',
  split: 'train',
  sample({ cars, rides }, random) {
    const ride = random.pick(rides);
    return {
      id: ride.id,
      car: need(cars, ride.car, 'car').name,
      member: ride.member,
      weekday: ride.weekday,
      part: ride.part,
    };
  },
  instruction: ({ car, member, weekday, part }, random) =>
    random.pick([
      `${member} does not need ${car} on ${weekday} (${part}) any more.`,
      `Drop the ${weekday} ${part} reservation of ${car}, the one by ${member}.`,
      `${member} wil take the train on ${weekday}. Give ${car} back for that ${part}.`,
    ]),
  checks: ({ id }) => [{ name: 'the ride is gone', test: final => find(final.rides, id) === undefined }],
  allow: ({ id }) => [`/rides/${id}`],
});
const flat = template('block-flat-cars', {
  about: 'Block every bookable car of a bay that is charged below a limit.',
  split: 'train',
  sample({ cars }, random) {
    const bay = random.pick(bays);
    const limit = random.pick([30, 40, 50, 60]);
    const ids = cars.filter(car => car.bay === bay && car.charge < limit && !car.blocked).map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { bay, limit, ids };
  },
  instruction: ({ bay, limit }, random) =>
    random.pick([
      `Block the cars at ${bay} that are charged less than ${limit} %.`,
      `The charger at ${bay} is broken. Nobody should book a car there with under ${limit} % left, so block those.`,
      `${bay}: below ${limit} % means blocked. Cars in other bays are none of our business.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is blocked`, test: (final: Club) => find(final.cars, id)?.blocked === true })),
  allow: ({ ids }) => ids.map(id => `/cars/${id}/blocked`),
});
const park = template('car-was-moved', {
  about: 'Write down the new bay of a car.',
  split: 'train',
  sample({ cars }, random) {
    const car = random.pick(cars);
    return { id: car.id, car: car.name, bay: random.pick(bays.filter(bay => bay !== car.bay)) };
  },
  instruction: ({ car, bay }, random) =>
    random.pick([
      `${car} stands at ${bay} now.`,
      `Someone left ${car} in the wrong place. It is at ${bay}; let it stay there and note it.`,
      `New bay for ${car}: ${bay}.`,
    ]),
  checks: ({ id, bay }) => [{ name: `it stands at ${bay}`, test: final => find(final.cars, id)?.bay === bay }],
  allow: ({ id }) => [`/cars/${id}/bay`],
});
const pin = template('pin-of-ride', {
  about: 'Tell the code of the key safe for a reservation.',
  split: 'train',
  sample({ cars, rides }, random) {
    const ride = random.pick(rides);
    return {
      id: ride.id,
      car: need(cars, ride.car, 'car').name,
      member: ride.member,
      weekday: ride.weekday,
      part: ride.part,
      pin: ride.pin,
    };
  },
  instruction: ({ car, member, weekday, part }, random) =>
    random.pick([
      `What code opens the key safe for ${member}, ${car}, ${weekday} ${part}?`,
      `${member} lost the message with the key safe code. The car is ${car}, the time ${weekday} ${part}. What is it?`,
      `Key safe code: ${car}, ${weekday} ${part}, ${member}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ pin: code }) => code,
  shown: ({ ui }, { id }) => ui.ride === id && ui.pane === 'none',
});
const dents = ['scratch on the left door', 'mirror broken', 'dent in the bonnet', 'wiper missing', 'smells of fish'];
const dent = template('report-damage', {
  about: 'Report damage to a car.',
  split: 'train',
  sample({ cars }, random) {
    const car = random.pick(cars);
    return { id: car.id, car: car.name, words: random.pick(dents), towed: random.chance(0.5) };
  },
  instruction: ({ car, words, towed }, random) =>
    random.pick([
      `Tell the workshop about ${car}: "${words}". It ${towed ? 'had to be towed' : 'was not towed'}.`,
      `${car} came back with a problem. Report "${words}"${towed ? ' and that it was towed' : ', no towing'}.`,
      `Damage: ${car}, "${words}", ${towed ? 'towed' : 'not towed'}`,
    ]),
  checks: ({ id, words, towed }) => [
    {
      name: 'one report was made, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.reports, final.reports);
        return more.length === 0 && made?.car === id && made.words === words && made.towed === towed;
      },
    },
  ],
  allow: () => ['/reports/+'],
});
const cheapest = template('cheapest-towbar', {
  about: 'Name the cheapest car with a towbar and enough seats.',
  split: 'train',
  sample({ cars }, random) {
    const seats = random.pick([4, 5, 7]);
    const fitting = cars
      .filter(car => car.towbar && car.seats >= seats && !car.blocked)
      .sort((a, b) => a.cents - b.cents);
    const [first, second] = fitting;
    return first === undefined || second === undefined || first.cents === second.cents
      ? null
      : { seats, car: first.name };
  },
  instruction: ({ seats }, random) =>
    random.pick([
      `Which bookable car with a towbar and at least ${seats} seats costs least per kilometre?`,
      `We are ${seats} people and pull a trailer. Name the cheapest car that would do and is not blocked.`,
      `Cheapest per km, towbar, ${seats} seats or more, bookable?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ car }) => car,
  shown: ({ ui }) => ui.car === null && ui.bay === 'all bays' && ui.towOnly,
});

const nicknames = [
  'Amber',
  'Ambrose',
  'Biscuit',
  'Bisque',
  'Clover',
  'Dove',
  'Dover',
  'Ember',
  'Fennel',
  'Ginger',
  'Hazel',
  'Iris',
  'Juniper',
  'Kiwi',
  'Kiwano',
  'Linden',
  'Maple',
  'Nutmeg',
];

export const app = defineApp({
  id: 'car-club',
  title: 'Kerbside car club',
  about: 'Cars of a sharing club, their bays, reservations and damage.',
  state,
  init(random): Club {
    const cars = random.shuffle(nicknames).map((name, index) => ({
      id: `c${index + 1}`,
      name,
      make: random.pick(['Zoe', 'Kangoo', 'Up', 'Yaris', 'Berlingo']),
      bay: random.pick(bays),
      seats: random.pick([2, 4, 5, 5, 7]),
      charge: random.between(8, 100),
      cents: random.between(21, 49),
      towbar: random.chance(0.5),
      blocked: random.chance(0.2),
    }));
    const rides = cars.flatMap(({ id }) =>
      random
        .sample(
          weekdays.flatMap(weekday => parts.map(part => ({ weekday, part }))),
          random.between(1, 4),
        )
        .map(slot => ({ car: id, member: random.pick(members), ...slot, pin: `${random.between(1000, 9999)}` })),
    );
    return {
      cars,
      rides: rides.map((ride, index) => ({ id: `r${index + 1}`, ...ride })),
      reports: random
        .sample(cars, 5)
        .map(({ id }, index) => ({ id: `d${index + 1}`, car: id, words: 'small scratch', towed: false })),
      ui: {
        bay: 'all bays',
        towOnly: false,
        car: null,
        ride: null,
        pane: 'none',
        plan: { member: '', weekday: '', part: '' },
        words: '',
        towed: false,
        beep: '',
      },
    };
  },
  commands: [
    reserve,
    drop,
    repark,
    block,
    damage,
    allCars,
    stand,
    tow,
    openCar,
    openRide,
    pane,
    plan,
    describe,
    wasTowed,
  ],
  view(club) {
    const car = find(club.cars, club.ui.car ?? '');
    return page('Kerbside', [
      banner('Kerbside', [text('Share a car, mind the kerb')]),
      club.ui.beep !== '' && alert(club.ui.beep),
      car === undefined ? map(club) : carSheet(club, car),
    ]);
  },
  templates: [reserveOne, dropOne, flat, park, pin, dent, cheapest],
  onRefusal(draft, message) {
    draft.ui.beep = message;
  },
});
