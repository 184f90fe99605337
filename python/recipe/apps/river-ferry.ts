import {
  added,
  alert,
  appKit,
  button,
  cell,
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
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const banks = ['From the north bank', 'From the south bank'] as const;
const fares = ['Foot', 'Bicycle', 'Car', 'Horse and cart', 'Lorry'];
const prices: Record<string, number> = { Foot: 2, Bicycle: 3, Car: 9, 'Horse and cart': 11, Lorry: 24 };
const boats = ['Maid of Orm', 'Old Maid', 'Heron', 'Grey Heron'];

const state = z.object({
  crossings: z.array(
    z.object({
      id: z.string(),
      bank: z.enum(banks),
      leaves: z.string(),
      boat: z.string(),
      deck: z.int(),
      halted: z.boolean(),
      late: z.int(),
    }),
  ),
  tickets: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      crossing: z.string(),
      fare: z.string(),
      holder: z.string(),
      refunded: z.boolean(),
    }),
  ),
  notices: z.array(z.object({ id: z.string(), words: z.string(), bank: z.string() })),
  ui: z.object({
    hut: z.enum(['timetable', 'tickets', 'slate']),
    bank: z.enum(banks),
    crossing: z.string().nullable(),
    needle: z.string(),
    ticket: z.string().nullable(),
    refunding: z.boolean(),
    sale: z.object({ on: z.boolean(), fare: z.string(), holder: z.string() }),
    slate: z.object({ words: z.string(), bank: z.string() }),
    horn: z.string(),
  }),
});
type Ferry = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const noSale = { on: false, fare: '', holder: '' };

const swapBoat = command('swap_boat', {
  about: 'Let another boat make a crossing.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!boats.includes(value)) refuse('We have no such boat.');
    need(draft.crossings, id, 'crossing').boat = value;
  },
});
const halt = command('halt_crossing', {
  about: 'Halt a crossing, or let it sail.',
  input: z.object({ id: z.string(), halted: z.boolean() }),
  run(draft, { id, halted }) {
    need(draft.crossings, id, 'crossing').halted = halted;
  },
});
const delay = command('delay_crossing', {
  about: 'Say how many minutes late a crossing is.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^\d{1,3}$/.test(value)) refuse('Minutes, please.');
    need(draft.crossings, id, 'crossing').late = Number(value);
  },
});
const sell = command('sell_ticket', {
  about: 'Sell a ticket for a crossing.',
  input: z.object({ crossing: z.string(), fare: z.string(), holder: z.string().trim().min(1, 'Whose ticket?') }),
  run(draft, { crossing, fare, holder }) {
    const trip = need(draft.crossings, crossing, 'crossing');
    if (!fares.includes(fare)) refuse('Which fare?');
    if (trip.halted) refuse('This crossing does not sail.');
    if (fare === 'Lorry' && trip.deck < 3) refuse(`${trip.boat} has no room for a lorry at ${trip.leaves}.`);
    draft.tickets.push({
      id: nextId(draft.tickets, 't'),
      code: `N${draft.tickets.length + 1}`,
      crossing,
      fare,
      holder,
      refunded: false,
    });
    draft.ui.sale = { ...noSale };
  },
});
const refund = command('refund_ticket', {
  about: 'Give the money for a ticket back.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const ticket = need(draft.tickets, id, 'ticket');
    if (ticket.refunded) refuse('It was refunded before.');
    ticket.refunded = true;
    draft.ui.refunding = false;
  },
});
const chalk = command('chalk_up', {
  about: 'Chalk a notice on the slate of a bank.',
  input: z.object({ words: z.string().trim().min(1, 'Write something.'), bank: z.string() }),
  run(draft, { words, bank }) {
    if (!['north', 'south', 'both'].includes(bank)) refuse('On which bank?');
    draft.notices.push({ id: nextId(draft.notices, 'n'), words, bank });
    draft.ui.slate = { words: '', bank: '' };
  },
});
const timetable = query('timetable', {
  about: 'The crossings from one bank, with tickets.',
  input: z.object({ bank: z.enum(banks) }),
  run: ({ crossings, tickets }, { bank }) =>
    crossings
      .filter(each => each.bank === bank)
      .map(each => ({ ...each, tickets: tickets.filter(({ crossing }) => crossing === each.id) })),
});
const hut = gesture('enter_hut', {
  about: 'Go to the timetable, the tickets or the slate.',
  input: z.object({ hut: z.enum(['timetable', 'tickets', 'slate']) }),
  run(draft, input) {
    Object.assign(draft.ui, {
      hut: input.hut,
      crossing: null,
      ticket: null,
      refunding: false,
      sale: { ...noSale },
      horn: '',
    });
  },
});
const otherBank = gesture('choose_bank', {
  about: 'Show the crossings from a bank.',
  input: z.object({ bank: z.enum(banks) }),
  run(draft, { bank }) {
    draft.ui.bank = bank;
  },
});
const openCrossing = gesture('open_crossing', {
  about: 'Open a crossing, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { hut: 'timetable', crossing: id, ticket: null, sale: { ...noSale }, horn: '' });
  },
});
const openTicket = gesture('open_ticket', {
  about: 'Open a ticket, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { ticket: id, refunding: false, horn: '' });
  },
});
const hunt = gesture('hunt_ticket', {
  about: 'Type a code or a name.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.needle = value;
  },
});
const think = gesture('think_refund', {
  about: 'Open or close the question of a refund.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.refunding = on;
  },
});
const till = gesture('till', {
  about: 'Work the till.',
  input: z.object({ field: z.enum(['fare', 'holder', 'open', 'shut']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    if (field === 'open' || field === 'shut') draft.ui.sale = { ...noSale, on: field === 'open' };
    else draft.ui.sale[field] = value;
  },
});
const scribble = gesture('scribble', {
  about: 'Prepare a notice.',
  input: z.object({ field: z.enum(['words', 'bank']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui.slate[field] = value;
  },
});

function crossingCard({ tickets, ui }: Ferry, trip: Ferry['crossings'][number]) {
  const { id, bank, leaves, boat, deck, halted, late } = trip;
  if (ui.sale.on)
    return form(`Till, ${leaves}`, [
      combobox('Fare', ui.sale.fare, { enter: till.entering({ field: 'fare' }), options: fares }),
      textbox('Name on the ticket', ui.sale.holder, { enter: till.entering({ field: 'holder' }) }),
      ui.sale.fare !== '' && text(`€${prices[ui.sale.fare] ?? 0}`),
      button('Ring it up', sell.with({ crossing: id, fare: ui.sale.fare, holder: ui.sale.holder })),
      button('Shut the till', till.with({ field: 'shut', value: '' })),
    ]);
  return region(`${leaves} ${bank}`, [
    heading(`${leaves} ${bank}`),
    status(halted ? 'Does not sail' : late > 0 ? `Sails ${late} minutes late` : 'Sails on time'),
    text(`Room for ${deck} cars${deck < 3 ? ', no lorry' : ''}`),
    combobox('Boat', boat, { enter: swapBoat.entering({ id }), options: boats }),
    textbox('Minutes late', `${late}`, { enter: delay.entering({ id }) }),
    list(
      'On board',
      tickets
        .filter(each => each.crossing === id && !each.refunded)
        .map(({ holder, fare }) => text(`${holder}, ${fare}`)),
    ),
    !halted && button('Open the till', till.with({ field: 'open', value: '' })),
    button(halted ? 'Let it sail' : 'Halt it', halt.with({ id, halted: !halted })),
    link('Whole timetable', openCrossing.with({ id: null })),
  ]);
}
function ticketDesk({ tickets, crossings, ui }: Ferry) {
  const opened = find(tickets, ui.ticket ?? '');
  if (opened !== undefined && ui.refunding)
    return dialog(`Refund ${opened.code}?`, [
      text(`€${prices[opened.fare] ?? 0} for ${opened.holder}`),
      button('Pay it out', refund.with({ id: opened.id })),
      button('Keep the money', think.with({ on: false })),
    ]);
  if (opened !== undefined) {
    const trip = need(crossings, opened.crossing, 'crossing');
    return region(`Ticket ${opened.code}`, [
      heading(`${opened.code}, ${opened.holder}`),
      text(`${opened.fare}, €${prices[opened.fare] ?? 0}`),
      link(`${trip.leaves} ${trip.bank}`, openCrossing.with({ id: trip.id })),
      status(opened.refunded ? 'Refunded' : 'Valid'),
      !opened.refunded && button('Refund…', think.with({ on: true })),
      link('Other tickets', openTicket.with({ id: null })),
    ]);
  }
  const lower = ui.needle.toLowerCase();
  const found =
    ui.needle.length < 2 ? [] : tickets.filter(({ code, holder }) => `${code} ${holder}`.toLowerCase().includes(lower));
  return region('Tickets', [
    textbox('Code or name', ui.needle, { enter: hunt.entering({}) }),
    ui.needle.length < 2 && text('Type at least two letters.'),
    list(
      `${found.length} tickets`,
      found.map(({ id, code, holder, fare, refunded }) =>
        listItem(code, [
          link(`${code} ${holder}`, openTicket.with({ id })),
          text(`${fare}${refunded ? ', refunded' : ''}`),
        ]),
      ),
    ),
  ]);
}

const named = ({ leaves, bank }: Ferry['crossings'][number]) => `the ${leaves} ${bank.toLowerCase()}`;
const boat = template('swap-the-boat', {
  about: 'Let another boat make a crossing.',
  split: 'train',
  sample({ crossings }, random) {
    const trip = random.pick(crossings);
    return { id: trip.id, trip: named(trip), boat: random.pick(boats.filter(each => each !== trip.boat)) };
  },
  instruction: ({ trip, boat: to }, random) =>
    random.pick([
      `${to} makes ${trip}.`,
      `Engine trouble! For ${trip} we need a different boat: ${to}.`,
      `Please put ${to} on ${trip}; the other crossings stay.`,
    ]),
  checks: ({ id, boat: to }) => [{ name: `${to} sails`, test: final => find(final.crossings, id)?.boat === to }],
  allow: ({ id }) => [`/crossings/${id}/boat`],
});
const late = template('announce-delay', {
  about: 'Say how late a crossing is.',
  split: 'train',
  sample({ crossings }, random) {
    const trip = random.pick(crossings);
    return { id: trip.id, trip: named(trip), minutes: `${trip.late + random.between(3, 50)}` };
  },
  instruction: ({ trip, minutes }, random) =>
    random.pick([
      `Fog: ${trip} is ${minutes} minutes late.`,
      `Make it ${minutes} minutes late for ${trip}.`,
      `The captain radioed about ${trip}. It will leave ${minutes} min behind time, people should see that.`,
    ]),
  checks: ({ id, minutes }) => [
    { name: `${minutes} minutes late`, test: final => find(final.crossings, id)?.late === Number(minutes) },
  ],
  allow: ({ id }) => [`/crossings/${id}/late`],
});
const sale = template('sell-a-ticket', {
  about: 'Sell a ticket; a lorry does not fit on every crossing.',
  split: 'train',
  kind: 'infeasible',
  sample({ crossings }, random) {
    const trip = random.pick(crossings);
    return {
      id: trip.id,
      trip: named(trip),
      holder: random.pick(strangers),
      small: random.chance(0.5),
      deck: random.between(3, 12),
    };
  },
  isTwin: ({ small }) => !small,
  setup(draft, { id, small, deck }) {
    Object.assign(need(draft.crossings, id, 'crossing'), { halted: false, deck: small ? deck % 3 : deck });
  },
  instruction: ({ trip, holder }, random) =>
    random.pick([
      `A Lorry ticket for ${trip}, on the name ${holder}.`,
      `${holder} waits with a lorry and wants to take ${trip}. Sell the ticket.`,
      `Ring up ${holder}: fare Lorry, ${trip}.`,
    ]),
  checks: ({ id, holder }) => [
    {
      name: 'one ticket was sold, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.tickets, final.tickets);
        return (
          more.length === 0 &&
          made?.crossing === id &&
          made.fare === 'Lorry' &&
          made.holder === holder &&
          !made.refunded
        );
      },
    },
  ],
  allow: () => ['/tickets/+'],
  shown: ({ ui }, { id }) => ui.crossing === id && !ui.sale.on,
});
const money = template('refund-a-ticket', {
  about: 'Refund a ticket.',
  split: 'train',
  sample({ tickets }, random) {
    const ticket = random.pick(tickets);
    return { id: ticket.id, code: ticket.code, holder: ticket.holder };
  },
  setup(draft, { id }) {
    need(draft.tickets, id, 'ticket').refunded = false;
  },
  instruction: ({ code, holder }, random) =>
    random.pick([
      `Refund ${code}.`,
      `${holder} missed the boat and wants the money back for ticket ${code}. All right, do it.`,
      `Money back for ${holder}, ticket ${code} (they may have others, leave those).`,
    ]),
  checks: ({ id }) => [{ name: 'it is refunded', test: final => find(final.tickets, id)?.refunded === true }],
  allow: ({ id }) => [`/tickets/${id}/refunded`],
});
const which = template('time-of-ticket', {
  about: 'Tell when the crossing of a ticket leaves.',
  split: 'train',
  sample({ tickets, crossings }, random) {
    const ticket = random.pick(tickets);
    const trip = need(crossings, ticket.crossing, 'crossing');
    return { id: ticket.id, code: ticket.code, crossing: trip.id, leaves: trip.leaves };
  },
  instruction: ({ code }, random) =>
    random.pick([
      `When does the crossing of ticket ${code} leave? Give the time.`,
      `I hold ${code}. At what time do I have to be on the boat?`,
      `Departure for ${code}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ leaves }) => leaves,
  shown: ({ ui }, { id }) => ui.ticket === id && !ui.refunding,
});
const storm = template('halt-boat', {
  about: 'Halt every crossing of a boat from one bank.',
  split: 'train',
  sample({ crossings }, random) {
    const bank = random.pick(banks);
    const name = random.pick(boats);
    const ids = crossings.filter(each => each.bank === bank && each.boat === name && !each.halted).map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { bank: bank.toLowerCase(), boat: name, ids };
  },
  instruction: ({ bank, boat: name }, random) =>
    random.pick([
      `${name} must not leave ${bank} today: halt those crossings.`,
      `Halt all crossings of ${name} ${bank}. In the other direction it sails.`,
      `The landing is too shallow for ${name}. Nothing of hers goes ${bank}.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is halted`, test: (final: Ferry) => find(final.crossings, id)?.halted === true })),
  allow: ({ ids }) => ids.map(id => `/crossings/${id}/halted`),
});
const words = [
  'No dogs on deck today',
  'Mind the wet planks',
  'Coffee is back',
  'Last boat is full',
  'Lost: a green umbrella',
  'Low water until noon',
];
const notice = template('chalk-a-notice', {
  about: 'Chalk a notice on the slate.',
  split: 'train',
  sample: (_, random) => ({ words: random.pick(words), bank: random.pick(['north', 'south', 'both']) }),
  instruction: ({ words: line, bank }, random) =>
    random.pick([
      `Chalk "${line}" on the slate, ${bank === 'both' ? 'both banks' : `${bank} bank`}.`,
      `People ${bank === 'both' ? 'on both banks' : `on the ${bank} bank`} should read: "${line}"`,
      `Slate (${bank}): "${line}"`,
    ]),
  checks: ({ words: line, bank }) => [
    {
      name: 'one notice was chalked, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.notices, final.notices);
        return more.length === 0 && made?.words === line && made.bank === bank;
      },
    },
  ],
  allow: () => ['/notices/+'],
});

const holders = [
  'Edith Poole',
  'Edwin Poole',
  'Marta Finn',
  'Martha Flynn',
  'Otto Grau',
  'Ottilie Grau',
  'Sam Reed',
  'Samir Rida',
];
const strangers = ['Brewery Holm', 'Dairy Jansen', 'Gravel Works', 'Circus Bellini', 'Movers Pohl'];

export const app = defineApp({
  id: 'river-ferry',
  title: 'Orm river ferry',
  about: 'Timetable, tickets and notices of a river ferry.',
  state,
  init(random): Ferry {
    const crossings = banks
      .flatMap((bank, side) =>
        [7, 8, 9, 10, 11, 13, 14, 15, 16, 18].map(hour => ({ bank, leaves: `${hour}:${side === 0 ? '05' : '35'}` })),
      )
      .map((each, index) => ({
        id: `c${index + 1}`,
        ...each,
        boat: random.pick(boats),
        deck: random.between(0, 14),
        halted: random.chance(0.15),
        late: random.chance(0.3) ? random.between(2, 25) : 0,
      }));
    return {
      crossings,
      tickets: Array.from({ length: 36 }, (_, index) => ({
        id: `t${index + 1}`,
        code: `${random.pick(['KA', 'KE', 'LO'])}${210 + index}`,
        crossing: random.pick(crossings).id,
        fare: random.pick(fares),
        holder: random.pick(holders),
        refunded: random.chance(0.15),
      })),
      notices: [{ id: 'n1', words: 'Ring the bell for the boat', bank: 'both' }],
      ui: {
        hut: 'timetable',
        bank: 'From the north bank',
        crossing: null,
        needle: '',
        ticket: null,
        refunding: false,
        sale: { ...noSale },
        slate: { words: '', bank: '' },
        horn: '',
      },
    };
  },
  commands: [
    swapBoat,
    halt,
    delay,
    sell,
    refund,
    chalk,
    timetable,
    hut,
    otherBank,
    openCrossing,
    openTicket,
    hunt,
    think,
    till,
    scribble,
  ],
  view(ferry) {
    const { crossings, notices, ui } = ferry;
    const trip = find(crossings, ui.crossing ?? '');
    return page('Orm ferry', [
      toolbar('Huts', [
        button('Timetable', hut.with({ hut: 'timetable' })),
        button('Tickets', hut.with({ hut: 'tickets' })),
        button('Slate', hut.with({ hut: 'slate' })),
      ]),
      ui.horn !== '' && alert(ui.horn),
      ui.hut === 'timetable' && trip !== undefined && crossingCard(ferry, trip),
      ui.hut === 'timetable' &&
        trip === undefined &&
        region('Timetable', [
          ...banks.map(bank => tab(bank, otherBank.with({ bank }), bank === ui.bank ? ['selected'] : undefined)),
          table(
            ui.bank,
            crossings
              .filter(({ bank }) => bank === ui.bank)
              .map(({ id, leaves, boat: by, halted, late: minutes }) =>
                row(leaves, [
                  link(`${leaves} ${by}`, openCrossing.with({ id })),
                  cell(halted ? 'does not sail' : minutes > 0 ? `${minutes} min late` : 'on time'),
                ]),
              ),
          ),
        ]),
      ui.hut === 'tickets' && ticketDesk(ferry),
      ui.hut === 'slate' &&
        region('Slate', [
          ...notices.map(({ words: line, bank }) => text(`${line} (${bank})`)),
          textbox('Chalk', ui.slate.words, { enter: scribble.entering({ field: 'words' }) }),
          combobox('Slate of bank', ui.slate.bank, {
            enter: scribble.entering({ field: 'bank' }),
            options: ['north', 'south', 'both'],
          }),
          button('Write it up', chalk.with(ui.slate)),
        ]),
    ]);
  },
  templates: [boat, late, sale, money, which, storm, notice],
  onRefusal(draft, message) {
    draft.ui.horn = message;
  },
});
