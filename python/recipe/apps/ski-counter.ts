import {
  added,
  alert,
  appKit,
  button,
  cell,
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
  refuse,
  region,
  row,
  searchBox,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

// A ski rental counter in the morning rush: guests, racks with skis, boots by size, and a ticket for every hire.
const models = ['Firn 70', 'Firn 74', 'Firnlight', 'Grat Pro', 'Gratton', 'Loipe S'];
const lengths = ['150', '156', '162', '168', '174'];
const sizes = ['37', '38', '39', '40', '41', '42', '43', '44'];
const levels = ['beginner', 'steady', 'fast'];
const racks = ['Rack A', 'Rack B', 'Rack C', 'Wax room'];
const backOn = ['today', 'Tuesday', 'Wednesday', 'Thursday', 'Saturday'];

const ski = z.object({
  id: z.string(),
  tag: z.string(),
  model: z.string(),
  length: z.string(),
  rack: z.string(),
  edges: z.int(),
  out: z.boolean(),
});
const ticket = z.object({
  id: z.string(),
  guest: z.string(),
  hotel: z.string(),
  ski: z.string(),
  boots: z.string(),
  level: z.string(),
  until: z.string(),
  helmet: z.boolean(),
  blocked: z.boolean(),
});
const state = z.object({
  skis: z.array(ski),
  tickets: z.array(ticket),
  hotels: z.array(z.object({ id: z.string(), name: z.string(), room: z.string(), bus: z.string() })),
  ui: z.object({
    spot: z.enum(['door', 'racks', 'tickets', 'hotels', 'fresh']),
    rack: z.string(),
    model: z.string(),
    ski: z.string().nullable(),
    guest: z.string(),
    ticket: z.string().nullable(),
    hotel: z.string().nullable(),
    form: z.object({
      leaf: z.int(),
      guest: z.string(),
      hotel: z.string(),
      ski: z.string(),
      boots: z.string(),
      level: z.string(),
      until: z.string(),
    }),
    shout: z.string(),
  }),
});
type Counter = z.infer<typeof state>;
type Ski = z.infer<typeof ski>;
const { command, gesture, query, template } = appKit(state);
const blank = { leaf: 1, guest: '', hotel: '', ski: '', boots: '', level: '', until: '' };

const hand = command('write_ticket', {
  about: 'Write a ticket: a guest takes a pair of skis that is in.',
  input: z.object({
    guest: z.string(),
    hotel: z.string(),
    ski: z.string(),
    boots: z.string(),
    level: z.string(),
    until: z.string(),
  }),
  run(draft, input) {
    if (Object.values(input).some(value => value.trim() === '')) refuse('Something on the ticket is empty.');
    const pair = draft.skis.find(item => item.tag === input.ski) ?? refuse('No such pair.');
    if (pair.out) refuse(`${pair.tag} is out.`);
    pair.out = true;
    draft.tickets.push({ id: nextId(draft.tickets, 't'), ...input, helmet: false, blocked: false });
    Object.assign(draft.ui, { form: blank, spot: 'door', shout: 'Have fun!' });
  },
});
const alter = command('alter_ticket', {
  about: 'Change boots, binding level or the day of return on a ticket that is not blocked.',
  input: z.object({ id: z.string(), field: z.enum(['boots', 'level', 'until']), value: z.string() }),
  run(draft, { id, field, value }) {
    const held = need(draft.tickets, id, 'ticket');
    if (held.blocked) refuse('This ticket is blocked by the till.');
    held[field] = value;
    draft.ui.shout = '';
  },
});
const helmet = command('set_helmet', {
  about: 'Add a helmet to a ticket, or take it off.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    const held = need(draft.tickets, id, 'ticket');
    if (held.blocked) refuse('This ticket is blocked by the till.');
    held.helmet = on;
    draft.ui.shout = '';
  },
});
const unblock = command('unblock_ticket', {
  about: 'Take the block of the till off a ticket.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.tickets, id, 'ticket').blocked = false;
    draft.ui.shout = '';
  },
});
const rerack = command('rerack', {
  about: 'Put a pair of skis into another rack, or into the wax room.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const pair = need(draft.skis, id, 'pair');
    if (pair.out) refuse(`${pair.tag} is on the slope.`);
    pair.rack = value;
  },
});
const stocktake = query('stocktake', {
  about: 'All skis, tickets and hotels.',
  input: z.object({}),
  run: ({ skis, tickets, hotels }) => ({ skis, tickets, hotels }),
});
const stand = gesture('stand_at', {
  about: 'Go to a spot of the shop.',
  input: z.object({ spot: z.enum(['door', 'racks', 'tickets', 'hotels', 'fresh']) }),
  run(draft, { spot }) {
    Object.assign(draft.ui, {
      spot,
      rack: '',
      model: '',
      ski: null,
      guest: '',
      ticket: null,
      hotel: null,
      form: blank,
      shout: '',
    });
  },
});
const sieve = gesture('sieve', {
  about: 'Narrow down what is shown.',
  input: z.object({ by: z.enum(['rack', 'model', 'guest']), value: z.string().max(40) }),
  run(draft, { by, value }) {
    draft.ui[by] = value;
  },
});
const pick = gesture('pick_up', {
  about: 'Pick up a pair, a ticket or the card of a hotel.',
  input: z.object({ what: z.enum(['ski', 'ticket', 'hotel']), id: z.string().nullable() }),
  run(draft, { what, id }) {
    Object.assign(draft.ui, { [what]: id, shout: '' });
  },
});
const scribble = gesture('scribble', {
  about: 'Fill in the fresh ticket.',
  input: z.object({ field: z.enum(['guest', 'hotel', 'ski', 'boots', 'level', 'until']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui.form[field] = value;
  },
});
const leafOn = gesture('leaf_on', {
  about: 'Turn the fresh ticket over.',
  input: z.object({ leaf: z.int() }),
  run(draft, { leaf }) {
    draft.ui.form.leaf = leaf;
  },
});

function rackWall({ skis, ui }: Counter) {
  const pair = find(skis, ui.ski ?? '');
  if (pair !== undefined)
    return region(`Pair ${pair.tag}`, [
      heading(`${pair.tag}, ${pair.model}, ${pair.length} cm`),
      text(`Edges last ground ${pair.edges} days ago`),
      status(pair.out ? 'On the slope' : `In ${pair.rack}`),
      combobox('Stands in', pair.rack, { enter: rerack.entering({ id: pair.id }), options: racks }),
      button('Put down', pick.with({ what: 'ski', id: null })),
    ]);
  const hits = skis.filter(
    item => (ui.rack === '' || item.rack === ui.rack) && (ui.model === '' || item.model === ui.model),
  );
  const isNarrow = ui.rack !== '' || ui.model !== '';
  return region('Racks', [
    combobox('Which rack', ui.rack, { enter: sieve.entering({ by: 'rack' }), options: racks }),
    combobox('Which model', ui.model, { enter: sieve.entering({ by: 'model' }), options: models }),
    !isNarrow && text('Choose a rack or a model.'),
    isNarrow &&
      table(
        `${hits.length} pairs`,
        hits.map(item =>
          row(item.tag, [
            link(item.tag, pick.with({ what: 'ski', id: item.id })),
            cell(item.model),
            cell(`${item.length} cm`),
            cell(item.out ? 'out' : item.rack),
            cell(`edges ${item.edges} days`),
          ]),
        ),
      ),
  ]);
}

function ticketSpike({ tickets, ui }: Counter) {
  const held = find(tickets, ui.ticket ?? '');
  if (held !== undefined) {
    const { id } = held;
    return region('Ticket', [
      heading(`${held.guest}, ${held.hotel}`),
      text(`Skis ${held.ski}`),
      status(held.blocked ? 'Blocked by the till' : 'In order'),
      held.blocked && button('Till says fine', unblock.with({ id })),
      combobox('Boots', held.boots, { enter: alter.entering({ id, field: 'boots' }), options: sizes }),
      combobox('Binding', held.level, { enter: alter.entering({ id, field: 'level' }), options: levels }),
      combobox('Brings back', held.until, { enter: alter.entering({ id, field: 'until' }), options: backOn }),
      text(held.helmet ? 'With helmet' : 'No helmet'),
      button('Back on spike', pick.with({ what: 'ticket', id: null })),
    ]);
  }
  const hits = tickets.filter(item => `${item.guest} ${item.hotel}`.toLowerCase().includes(ui.guest.toLowerCase()));
  return region('Ticket spike', [
    searchBox('Look through', [textbox('Guest or hotel', ui.guest, { enter: sieve.entering({ by: 'guest' }) })]),
    list(
      hits.length > 6 ? `Top 6 of ${hits.length} tickets` : `${hits.length} tickets`,
      hits
        .slice(0, 6)
        .map(item =>
          listItem(item.guest, [
            link(`${item.guest}, ${item.hotel}`, pick.with({ what: 'ticket', id: item.id })),
            text(`back ${item.until}`),
            checkbox(`Helmet, ${item.guest}`, item.helmet, helmet.with({ id: item.id, on: !item.helmet })),
          ]),
        ),
    ),
  ]);
}

function hotelBoard({ hotels, ui }: Counter) {
  const open = find(hotels, ui.hotel ?? '');
  return region('Hotels', [
    list(
      'Partner hotels',
      hotels.map(({ id, name }) => link(name, pick.with({ what: 'hotel', id }))),
      { shuffle: true },
    ),
    open !== undefined && text(`${open.name}: ski room ${open.room}, bus ${open.bus}`),
  ]);
}

function freshTicket({ skis, hotels, ui }: Counter) {
  const { leaf, ...input } = ui.form;
  const put = (field: keyof typeof input) => scribble.entering({ field });
  return form(`Fresh ticket, side ${leaf}`, [
    leaf === 1 && textbox('Guest', input.guest, { enter: put('guest') }),
    leaf === 1 && combobox('Hotel', input.hotel, { enter: put('hotel'), options: hotels.map(item => item.name) }),
    leaf === 1 && button('Turn over', leafOn.with({ leaf: 2 })),
    leaf === 2 &&
      combobox('Skis', input.ski, { enter: put('ski'), options: skis.filter(item => !item.out).map(item => item.tag) }),
    leaf === 2 && combobox('Boots', input.boots, { enter: put('boots'), options: sizes }),
    leaf === 2 && combobox('Binding', input.level, { enter: put('level'), options: levels }),
    leaf === 2 && combobox('Brings back', input.until, { enter: put('until'), options: backOn }),
    leaf === 2 && button('Front side', leafOn.with({ leaf: 1 })),
    leaf === 2 && button('Hand out', hand.with(input)),
  ]);
}

const guests = [
  'Ueli Frei',
  'Urs Freitag',
  'Mina Costa',
  'Mira Costas',
  'Joop Visser',
  'Jaap Vissers',
  'Kate Hume',
  'Katie Hulme',
  'Rolf Egger',
  'Ralf Eggers',
];
const named = ({ id, guest, hotel }: Counter['tickets'][number]) => ({ id, guest, hotel });
const clear = (draft: Counter, id: string, blocked: boolean) => {
  need(draft.tickets, id, 'ticket').blocked = blocked;
};

const boots = template('change-boots', {
  about: 'Change the boot size on the ticket of a guest.',
  split: 'train',
  sample({ tickets }, random) {
    const held = random.pick(tickets);
    return { ...named(held), size: random.pick(sizes.filter(item => item !== held.boots)) };
  },
  setup: (draft, { id }) => clear(draft, id, false),
  instruction: ({ guest, hotel, size }, random) =>
    random.pick([
      `${guest} (${hotel}): boots ${size}.`,
      `The boots pinch! ${guest} from the ${hotel} gets size ${size} now, put it on the ticket.`,
      `Swap the boots of ${guest}, ${hotel}, for a ${size}.`,
    ]),
  checks: ({ id, size }) => [{ name: `boots ${size}`, test: ({ tickets }) => find(tickets, id)?.boots === size }],
  allow: ({ id }) => [`/tickets/${id}/boots`],
});

const blockedOne = template('extend-blocked-ticket', {
  about: 'Take the block off a ticket and change the day of return.',
  split: 'train',
  sample({ tickets }, random) {
    const held = random.pick(tickets);
    return { ...named(held), until: random.pick(backOn.filter(item => item !== held.until)) };
  },
  setup: (draft, { id }) => clear(draft, id, true),
  instruction: ({ guest, hotel, until }, random) =>
    random.pick([
      `${guest}, ${hotel}, has paid the till and keeps the skis: back ${until}.`,
      `${guest} from the ${hotel} brings everything back ${until}. The block on the ticket is a mistake of the till.`,
      `New return for ${guest} (${hotel}): ${until}. They settled the bill, so unblock the ticket.`,
    ]),
  checks: ({ id, until }) => [
    { name: 'no block', test: ({ tickets }) => find(tickets, id)?.blocked === false },
    { name: `back ${until}`, test: ({ tickets }) => find(tickets, id)?.until === until },
  ],
  allow: ({ id }) => [`/tickets/${id}/blocked`, `/tickets/${id}/until`],
});

const helmets = template('helmets-for-hotel', {
  about: 'Add a helmet to every ticket of a hotel.',
  split: 'train',
  sample({ tickets, hotels }, random) {
    const [hotel, other] = random.sample(hotels, 2).map(item => item.name) as [string, string];
    return { hotel, other, ids: random.sample(tickets, 2).map(({ id }) => id) };
  },
  setup(draft, { hotel, other, ids }) {
    for (const held of draft.tickets) {
      if (ids.includes(held.id)) Object.assign(held, { hotel, helmet: false, blocked: false });
      else if (held.hotel === hotel) held.hotel = other;
    }
  },
  instruction: ({ hotel }, random) =>
    random.pick([
      `Helmets for everyone from the ${hotel}.`,
      `The ${hotel} has just decided that its guests ski with helmets only. Add one to each of their tickets.`,
      `Every ticket of the ${hotel} should have a helmet on it.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} has a helmet`, test: ({ tickets }) => find(tickets, id)?.helmet === true })),
  allow: ({ ids }) => ids.map(id => `/tickets/${id}/helmet`),
});

const fresh = template('fresh-ticket', {
  about: 'Write a ticket for a new guest.',
  split: 'train',
  steps: 40,
  sample({ skis, hotels }, random) {
    const pair = random.pick(skis.filter(item => !item.out));
    return {
      pair: pair.id,
      guest: `${random.pick(['Tilda', 'Timo', 'Vera', 'Veit'])} ${random.pick(['Lang', 'Lange', 'Orth'])}`,
      hotel: random.pick(hotels).name,
      ski: pair.tag,
      boots: random.pick(sizes),
      level: random.pick(levels),
      until: random.pick(backOn),
    };
  },
  instruction: ({ guest, hotel, ski: tag, boots: size, level, until }, random) =>
    random.pick([
      `Ticket: ${guest}, ${hotel}, skis ${tag}, boots ${size}, binding ${level}, back ${until}.`,
      `${guest} from the ${hotel} takes ${tag} with boots in ${size}. Set the binding to ${level}. They come back ${until}.`,
      `Hand out ${tag} to ${guest} (${hotel}); boots ${size}, skis like a ${level} skier, return ${until}.`,
    ]),
  checks: ({ pair, guest, hotel, ski: tag, boots: size, level, until }) => [
    {
      name: 'the ticket is written',
      test(final, initial) {
        const [made, ...more] = added(initial.tickets, final.tickets);
        if (made === undefined || more.length > 0 || made.helmet || made.blocked) return false;
        return (
          made.guest === guest &&
          made.hotel === hotel &&
          made.ski === tag &&
          made.boots === size &&
          made.level === level &&
          made.until === until
        );
      },
    },
    { name: 'the skis are out', test: ({ skis }) => find(skis, pair)?.out === true },
  ],
  allow: ({ pair }) => ['/tickets/+', `/skis/${pair}/out`],
});

const bluntest = template('wax-bluntest', {
  about: 'Bring the pair of a model that was ground longest ago to the wax room.',
  split: 'train',
  sample({ skis }, random) {
    const model = random.pick(models);
    const [first, second] = random.sample(
      skis.filter(item => item.model === model),
      2,
    ) as [Ski, Ski];
    return { model, id: first.id, gone: second.id, rack: random.pick(racks.slice(0, 3)) };
  },
  setup(draft, { id, gone, rack }) {
    Object.assign(need(draft.skis, id, 'pair'), { edges: 64, out: false, rack });
    Object.assign(need(draft.skis, gone, 'pair'), { edges: 71, out: true });
  },
  instruction: ({ model }, random) =>
    random.pick([
      `The bluntest ${model} that is in the shop goes to the wax room.`,
      `Of all ${model} not out at the moment, put the pair whose edges were ground longest ago into the wax room.`,
      `Which ${model} in the house needs grinding most? Move it to the wax room.`,
    ]),
  checks: ({ id }) => [{ name: 'in the wax room', test: ({ skis }) => find(skis, id)?.rack === 'Wax room' }],
  allow: ({ id }) => [`/skis/${id}/rack`],
});

const busOf = template('bus-for-guest', {
  about: 'Say which bus goes to the hotel of a guest.',
  split: 'train',
  sample({ tickets, hotels }, random) {
    const held = random.pick(tickets);
    const single = tickets.filter(item => item.guest === held.guest).length === 1;
    if (!single) return null;
    return { id: held.id, guest: held.guest, hotel: hotels.find(item => item.name === held.hotel)?.id ?? '' };
  },
  instruction: ({ guest }, random) =>
    random.pick([
      `Which bus does ${guest} take back to the hotel?`,
      `${guest} is tired and asks for the bus to their hotel. Which one is it?`,
      `Bus for ${guest}, please. The hotel is on the ticket.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ hotel }, { hotels }) => need(hotels, hotel, 'hotel').bus,
  shown: ({ ui, tickets }, { guest, hotel }) => [
    ui.spot === 'tickets' && (tickets.find(item => item.guest === guest)?.id === ui.ticket || ui.guest === guest),
    ui.hotel === hotel,
  ],
});

const toRack = template('rerack-unless-out', {
  about: 'Put a pair into another rack; impossible while it is out.',
  split: 'train',
  kind: 'infeasible',
  sample({ skis }, random) {
    const pair = random.pick(skis);
    return {
      id: pair.id,
      tag: pair.tag,
      model: pair.model,
      rack: random.pick(racks.filter(item => item !== pair.rack)),
      isIn: random.chance(0.5),
    };
  },
  isTwin: ({ isIn }) => isIn,
  setup(draft, { id, isIn }) {
    need(draft.skis, id, 'pair').out = !isIn;
  },
  instruction: ({ tag, model, rack }, random) =>
    random.pick([
      `${tag} (${model}) into ${rack}.`,
      `Tidying up: the pair ${tag}, a ${model}, belongs in ${rack}.`,
      `Could you put ${tag} in ${rack}? It is one of the ${model}.`,
    ]),
  checks: ({ id, rack }) => [{ name: `in ${rack}`, test: ({ skis }) => find(skis, id)?.rack === rack }],
  allow: ({ id, isIn }) => (isIn ? [`/skis/${id}/rack`] : []),
  shown: ({ ui }, { id }) => ui.ski === id,
});

export const app = defineApp({
  id: 'ski-counter',
  title: 'Bergstation Rentals',
  about: 'A ski rental counter: racks, tickets and partner hotels.',
  state,
  init(random): Counter {
    const names = random.shuffle(['Alpenrose', 'Alpenblick', 'Sonnblick', 'Sonnenhof', 'Edelweiss', 'Post']);
    const skis = models.flatMap(model =>
      Array.from({ length: 5 }, () => ({
        model,
        length: random.pick(lengths),
        rack: random.pick(racks.slice(0, 3)),
        edges: random.between(1, 50),
        out: random.chance(0.4),
      })),
    );
    const numbered = random
      .shuffle(skis)
      .map((item, index) => ({ id: `k${index + 1}`, tag: `#${random.between(1, 8)}${String(index + 10)}`, ...item }));
    const out = numbered.filter(item => item.out);
    return {
      skis: numbered,
      tickets: Array.from({ length: 16 }, (_, index) => ({
        id: `t${index + 1}`,
        guest: guests[index] ?? random.pick(guests),
        hotel: names[(index + (index > 9 ? 1 : 0)) % 6] ?? '',
        ski: out[index % Math.max(out.length, 1)]?.tag ?? '#000',
        boots: random.pick(sizes),
        level: random.pick(levels),
        until: random.pick(backOn),
        helmet: random.chance(0.4),
        blocked: random.chance(0.2),
      })),
      hotels: names.map((name, index) => ({
        id: `h${index + 1}`,
        name,
        room: `${random.between(1, 9)}`,
        bus: `${random.pick(['line', 'shuttle'])} ${random.between(1, 9)}${index}`,
      })),
      ui: {
        spot: 'door',
        rack: '',
        model: '',
        ski: null,
        guest: '',
        ticket: null,
        hotel: null,
        form: blank,
        shout: '',
      },
    };
  },
  commands: [hand, alter, helmet, unblock, rerack, stocktake, stand, sieve, pick, scribble, leafOn],
  view(counter) {
    const { spot, shout } = counter.ui;
    return page('Bergstation Rentals', [
      toolbar('Shop', [
        button('Ski wall', stand.with({ spot: 'racks' })),
        button('Spike', stand.with({ spot: 'tickets' })),
        button('Hotels', stand.with({ spot: 'hotels' })),
        button('Fresh ticket', stand.with({ spot: 'fresh' })),
      ]),
      shout !== '' && alert(shout),
      spot === 'racks' && rackWall(counter),
      spot === 'tickets' && ticketSpike(counter),
      spot === 'hotels' && hotelBoard(counter),
      spot === 'fresh' && freshTicket(counter),
    ]);
  },
  templates: [boots, blockedOne, helmets, fresh, bluntest, busOf, toRack],
  onRefusal(draft, message) {
    draft.ui.shout = message;
  },
});
