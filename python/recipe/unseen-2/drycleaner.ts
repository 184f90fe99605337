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
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const stages = ['to clean', 'in the machine', 'to press', 'ready', 'collected'] as const;
const services = ['clean', 'clean and press', 'press only', 'hand wash'];
const garments = [
  'blazer',
  'coat',
  'trousers',
  'silk blouse',
  'evening dress',
  'waistcoat',
  'curtain',
  'duvet',
  'scarf',
];

const ticket = z.object({
  id: z.string(),
  number: z.string(),
  customer: z.string(),
  due: z.string(),
  stage: z.enum(stages),
  slot: z.string(),
  paid: z.boolean(),
  express: z.boolean(),
});
const piece = z.object({
  id: z.string(),
  ticket: z.string(),
  garment: z.string(),
  colour: z.string(),
  service: z.string(),
  remark: z.string(),
});
const draftPiece = z.object({ garment: z.string(), service: z.string() });
const state = z.object({
  tickets: z.array(ticket),
  pieces: z.array(piece),
  ui: z.object({
    tab: z.enum(['counter', 'rail', 'drop-off']),
    find: z.string(),
    open: z.string().nullable(),
    remarking: z.string().nullable(),
    customer: z.string(),
    due: z.string(),
    express: z.boolean(),
    garment: z.string(),
    service: z.string(),
    basket: z.array(draftPiece),
    notice: z.string(),
  }),
});
type Cleaner = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onTicket = z.object({ id: z.string() });

const slots = ['A', 'B', 'C', 'D'].flatMap(rail => [1, 2, 3, 4, 5, 6, 7, 8].map(number => `${rail}${number}`));
const freeSlots = ({ tickets }: Cleaner) => slots.filter(slot => !tickets.some(it => it.slot === slot));

const hang = command('hang_up', {
  about: 'Hang a finished ticket on a free hook of the rail; it is ready then.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.tickets, id, 'ticket');
    if (!slots.includes(value)) refuse(`There is no hook ${value}.`);
    const there = draft.tickets.find(other => other.slot === value && other.id !== id);
    if (there !== undefined) refuse(`Hook ${value} is taken by ${there.number}.`);
    if (it.stage === 'collected') refuse('This ticket has been collected.');
    Object.assign(it, { stage: 'ready', slot: value });
  },
});
const takePayment = command('take_payment', {
  about: 'Note that a ticket has been paid.',
  input: onTicket,
  run(draft, { id }) {
    const it = need(draft.tickets, id, 'ticket');
    if (it.paid) refuse('Paid already.');
    it.paid = true;
  },
});
const handOver = command('hand_over', {
  about: 'Give the clothes of a ticket that is ready and paid to the customer.',
  input: onTicket,
  run(draft, { id }) {
    const it = need(draft.tickets, id, 'ticket');
    if (it.stage !== 'ready') refuse(`Ticket ${it.number} is ${it.stage}.`);
    if (!it.paid) refuse(`Ticket ${it.number} is not paid.`);
    Object.assign(it, { stage: 'collected', slot: '' });
    draft.ui.notice = `Ticket ${it.number} handed over.`;
  },
});
const postpone = command('change_due_day', {
  about: 'Change the day on which a ticket is due.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!days.includes(value)) refuse(`${value} is no working day.`);
    need(draft.tickets, id, 'ticket').due = value;
  },
});
const remark = command('write_remark', {
  about: 'Write a remark for a piece of clothing.',
  input: z.object({ id: z.string(), value: z.string().max(80) }),
  run(draft, { id, value }) {
    need(draft.pieces, id, 'piece').remark = value;
    draft.ui.remarking = null;
  },
});
const open = command('open_ticket', {
  about: 'Write a new ticket: customer, day, and pieces.',
  input: z.object({
    customer: z.string().trim().min(1, 'Whose clothes are these?'),
    due: z.string().min(1, 'Pick the day'),
    express: z.boolean(),
    pieces: z.array(draftPiece).min(1, 'Add a piece first'),
  }),
  run(draft, { customer, due, express, pieces }) {
    const id = nextId(draft.tickets, 't');
    const number = `${Math.max(...draft.tickets.map(it => Number(it.number))) + 1}`;
    draft.tickets.push({ id, number, customer, due, stage: 'to clean', slot: '', paid: false, express });
    for (const { garment, service } of pieces) {
      draft.pieces.push({ id: nextId(draft.pieces, 'p'), ticket: id, garment, colour: '', service, remark: '' });
    }
    Object.assign(draft.ui, { customer: '', due: '', express: false, garment: '', service: '', basket: [] });
    Object.assign(draft.ui, { tab: 'counter', open: id, notice: `Ticket ${number} printed.` });
  },
});
const findTickets = query('find_tickets', {
  about: 'List tickets by a part of the number or of the customer.',
  input: z.object({ text: z.string() }),
  run: (cleaner, input) =>
    matching(cleaner, input.text).map(it => ({
      ...it,
      pieces: cleaner.pieces.filter(({ ticket: of }) => of === it.id).map(part => ({ ...part })),
    })),
});

const goTo = gesture('go_to', {
  about: 'Change to another tab.',
  input: z.object({ tab: z.enum(['counter', 'rail', 'drop-off']) }),
  run(draft, input) {
    Object.assign(draft.ui, { tab: input.tab, open: null, notice: '', remarking: null });
  },
});
const seek = gesture('seek', {
  about: 'Type a name or a number.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { find: value, open: null, notice: '' });
  },
});
const show = gesture('show_ticket', {
  about: 'Show a ticket, or none.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tab: 'counter', open: id, notice: '', remarking: null });
  },
});
const startRemark = gesture('start_remark', {
  about: 'Begin to write a remark.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.remarking = id;
  },
});
const fillIn = gesture('fill_in', {
  about: 'Fill in a field of the drop-off form.',
  input: z.object({ field: z.enum(['customer', 'due', 'garment', 'service']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const tickExpress = gesture('tick_express', {
  about: 'Tick or untick express.',
  input: z.object({}),
  run(draft) {
    draft.ui.express = !draft.ui.express;
  },
});
const lay = gesture('lay_piece', {
  about: 'Put a piece on the drop-off form.',
  input: z.object({}),
  run({ ui }) {
    if (ui.garment === '' || ui.service === '') refuse('Say what it is and what to do with it.');
    ui.basket.push({ garment: ui.garment, service: ui.service });
    Object.assign(ui, { garment: '', service: '', notice: '' });
  },
});
const empty = gesture('empty_basket', {
  about: 'Take all pieces off the form.',
  input: z.object({}),
  run({ ui }) {
    ui.basket = [];
  },
});

function matching({ tickets }: Cleaner, wanted: string) {
  const lower = wanted.trim().toLowerCase();
  return tickets.filter(({ number, customer }) => `${number} ${customer}`.toLowerCase().includes(lower));
}

function counter(cleaner: Cleaner) {
  const { ui } = cleaner;
  const found = ui.find.trim() === '' ? [] : matching(cleaner, ui.find);
  return region('Counter', [
    textbox('Name or ticket number', ui.find, { enter: seek.entering({}) }),
    ui.find.trim() === ''
      ? text('Scan the ticket or type.')
      : list(
          found.length === 0 ? 'No such ticket' : 'Tickets',
          found.map(it =>
            listItem(it.number, [
              link(`${it.number} ${it.customer}`, show.with({ id: it.id })),
              text(`due ${it.due}, ${it.stage}`),
            ]),
          ),
        ),
  ]);
}

function slip(cleaner: Cleaner, it: Cleaner['tickets'][number]) {
  const { id } = it;
  const { ui } = cleaner;
  return region(`Ticket ${it.number}`, [
    heading(it.customer),
    text(`${it.stage}${it.express ? ', express' : ''}, ${it.paid ? 'paid' : 'to be paid'}`),
    it.slot !== '' && text(`Hook ${it.slot}`),
    combobox('Due', it.due, { enter: postpone.entering({ id }), options: days }),
    list(
      'Pieces',
      cleaner.pieces
        .filter(({ ticket: of }) => of === id)
        .map(part =>
          listItem(`${part.colour} ${part.garment}`.trim(), [
            text(`${part.service}${part.remark === '' ? '' : `. Remark: ${part.remark}`}`),
            ui.remarking === part.id
              ? textbox('Remark for the cleaner', part.remark, { enter: remark.entering({ id: part.id }) })
              : button(`Remark on ${`${part.colour} ${part.garment}`.trim()}`, startRemark.with({ id: part.id })),
          ]),
        ),
    ),
    it.stage !== 'ready' &&
      it.stage !== 'collected' &&
      combobox('Hang on hook', it.slot, { enter: hang.entering({ id }), options: freeSlots(cleaner) }),
    !it.paid && button('Cash or card taken', takePayment.with({ id })),
    it.stage !== 'collected' && button('Hand over', handOver.with({ id })),
    link('Next customer', show.with({ id: null })),
  ]);
}

function dropOff({ ui }: Cleaner) {
  const { customer, due, express, garment, service, basket } = ui;
  return form('Drop-off', [
    textbox('Customer', customer, { enter: fillIn.entering({ field: 'customer' }) }),
    combobox('Wanted by', due, { enter: fillIn.entering({ field: 'due' }), options: days }),
    checkbox('Express', express, tickExpress.with({})),
    combobox('Piece', garment, { enter: fillIn.entering({ field: 'garment' }), options: garments }),
    combobox('What to do', service, { enter: fillIn.entering({ field: 'service' }), options: services }),
    button('Lay on the counter', lay.with({})),
    basket.length > 0 &&
      list(
        'On the counter',
        basket.map(it => text(`${it.garment}: ${it.service}`)),
      ),
    basket.length > 0 && button('Clear counter', empty.with({})),
    button('Print ticket', open.with({ customer, due, express, pieces: basket })),
  ]);
}

const people = [
  'Aylin Kaya',
  'Deniz Kaya',
  'Bo Lindgren',
  'Berta Lind',
  'Hugo Marsh',
  'Helen Marsh',
  'Priya Nair',
  'Tariq Aziz',
  'Wanda Zielinska',
  'Ciaran Doyle',
  'Orla Doyle',
  'Jun Ito',
];
const fresh = ['Salma Reyes', 'Peter Kayode', 'Ingrid Lindqvist', 'Marsha Bell', 'Doyin Cole', 'Nairi Petrosyan'];
const colours = ['grey', 'navy', 'black', 'cream', 'green', 'striped', 'brown'];
const stains = [
  'red wine on the left sleeve',
  'candle wax near the hem',
  'grass on the knees',
  'ink in the inside pocket',
  'missing button',
  'do not tumble',
];

const remarkOn = template('note-stain', {
  about: 'Write a remark for one piece of a customer.',
  split: 'test',
  sample(cleaner, random) {
    const part = random.pick(cleaner.pieces);
    const it = need(cleaner.tickets, part.ticket, 'ticket');
    const what = `${part.colour} ${part.garment}`;
    const same = cleaner.pieces.filter(
      other =>
        `${other.colour} ${other.garment}` === what &&
        need(cleaner.tickets, other.ticket, 'ticket').customer === it.customer,
    );
    if (same.length > 1 || it.stage === 'collected') return null;
    return { id: part.id, what, customer: it.customer, stain: random.pick(stains.filter(one => one !== part.remark)) };
  },
  instruction: ({ what, customer, stain }, random) =>
    random.pick([
      `${customer} just rang about the ${what}. Please put the remark "${stain}" on it.`,
      `Remark for the ${what} of ${customer}: ${stain}`,
      `The cleaner has to know about the ${what} that ${customer} brought. Write on it: "${stain}".`,
    ]),
  checks: ({ id, stain }) => [
    { name: 'the remark is on the piece', test: final => find(final.pieces, id)?.remark.trim() === stain },
  ],
  allow: ({ id }) => [`/pieces/${id}/remark`],
});

const hangUp = template('hang-up', {
  about: 'Hang a finished ticket on a hook.',
  split: 'test',
  sample(cleaner, random) {
    const it = random.pick(cleaner.tickets.filter(({ stage }) => stage === 'to press' || stage === 'in the machine'));
    return { id: it.id, number: it.number, slot: random.pick(freeSlots(cleaner)) };
  },
  instruction: ({ number, slot }, random) =>
    random.pick([
      `Ticket ${number} is done. It hangs on ${slot} now.`,
      `I've put ${number} on hook ${slot}, please enter that.`,
      `${number} pressed and bagged -> ${slot}`,
    ]),
  checks: ({ id, number, slot }) => [
    { name: `${number} hangs on ${slot}`, test: final => find(final.tickets, id)?.slot === slot },
    { name: `${number} is ready`, test: final => find(final.tickets, id)?.stage === 'ready' },
  ],
  allow: ({ id }) => [`/tickets/${id}/slot`, `/tickets/${id}/stage`],
});

const collect = template('collect', {
  about: 'Hand a ticket to the customer who pays; it may not be ready.',
  split: 'test',
  kind: 'infeasible',
  sample(cleaner, random) {
    const { id, number, customer } = random.pick(cleaner.tickets.filter(({ stage }) => stage !== 'collected'));
    return { id, number, customer, ready: random.chance(0.5), slot: random.pick(freeSlots(cleaner)) };
  },
  isTwin: ({ ready }) => ready,
  setup(draft, { id, ready, slot }) {
    Object.assign(
      need(draft.tickets, id, 'ticket'),
      ready ? { stage: 'ready', slot, paid: false } : { stage: 'in the machine', slot: '', paid: false },
    );
  },
  instruction: ({ number, customer }, random) =>
    random.pick([
      `${customer} is here to pay for and pick up ticket ${number}. If it is still being cleaned, tell me so and take no money.`,
      `Take the payment for ${number} and hand the things to ${customer}; unless they are not ready yet, then leave everything.`,
      `Pick-up: ticket ${number}, ${customer}. Pays now. (Not finished? Then don't charge anything, just say it can't be done.)`,
    ]),
  checks: ({ id, number }) => [
    { name: `${number} is paid`, test: final => find(final.tickets, id)?.paid === true },
    { name: `${number} is collected`, test: final => find(final.tickets, id)?.stage === 'collected' },
    { name: 'the hook is free', test: final => find(final.tickets, id)?.slot === '' },
  ],
  allow: ({ id }) => [`/tickets/${id}/paid`, `/tickets/${id}/stage`, `/tickets/${id}/slot`],
  shown: ({ ui }, { id }) => ui.open === id,
});

const bring = template('drop-off', {
  about: 'Write a ticket for a new customer.',
  split: 'test',
  sample(_, random) {
    return {
      customer: random.pick(fresh),
      due: random.pick(days),
      garment: random.pick(garments),
      service: random.pick(services),
      express: random.chance(0.4),
    };
  },
  instruction: ({ customer, due, garment, service, express }, random) =>
    random.pick([
      `New ticket for ${customer}: one ${garment}, ${service}, for ${due}${express ? ', express' : ''}.`,
      `${customer} brings in a ${garment} (${service}) and needs it by ${due}.${express ? ' Pays for express.' : ''}`,
      `Drop-off. ${customer}. ${garment}, ${service}. ${express ? 'Express! ' : ''}By ${due}.`,
    ]),
  checks: ({ customer, due, garment, service, express }) => [
    {
      name: 'one ticket was written, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.tickets, final.tickets);
        if (it === undefined || more.length > 0) return false;
        const isNew = it.stage === 'to clean' && it.slot === '' && !it.paid;
        return it.customer === customer && it.due === due && it.express === express && isNew;
      },
    },
    {
      name: 'it has the one piece',
      test(final, initial) {
        const [it, ...more] = added(initial.pieces, final.pieces);
        return it?.garment === garment && it.service === service && it.remark === '' && more.length === 0;
      },
    },
  ],
  allow: () => ['/tickets/+', '/pieces/+'],
});

const whichHook = template('which-hook', {
  about: 'Tell on which hook a ready ticket of a customer hangs.',
  split: 'test',
  sample({ tickets }, random) {
    const fit = tickets.filter(
      it =>
        it.slot !== '' && tickets.filter(({ customer, slot }) => customer === it.customer && slot !== '').length === 1,
    );
    if (fit.length === 0) return null;
    const { id, customer } = random.pick(fit);
    return { id, customer };
  },
  instruction: ({ customer }, random) =>
    random.pick([
      `${customer} is at the counter without the slip. On which hook are the clothes?`,
      `Which hook has the finished things of ${customer}?`,
      `Hook for ${customer}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { tickets }) => need(tickets, id, 'ticket').slot,
});

const delay = template('delay', {
  about: 'Move the open tickets of a customer to another day.',
  split: 'test',
  sample({ tickets }, random) {
    const open = tickets.filter(({ stage }) => stage !== 'collected' && stage !== 'ready');
    const fit = people.filter(name => open.filter(({ customer }) => customer === name).length === 2);
    if (fit.length === 0) return null;
    const customer = random.pick(fit);
    const mine = open.filter(it => it.customer === customer);
    const due = random.pick(days.filter(day => mine.every(it => it.due !== day)));
    return { customer, due, ids: mine.map(({ id }) => id) };
  },
  instruction: ({ customer, due }, random) =>
    random.pick([
      `${customer} is away. Everything of theirs that isn't finished can wait until ${due}: change the day.`,
      `Make ${due} the due day for all tickets of ${customer} that are still in work (not the ready or collected ones).`,
      `The boiler broke. ${customer}'s unfinished tickets will be due ${due}.`,
    ]),
  checks: ({ ids, due }) =>
    ids.map(id => ({ name: `ticket ${id} is due then`, test: final => find(final.tickets, id)?.due === due })),
  allow: ({ ids }) => ids.map(id => `/tickets/${id}/due`),
});

export const app = defineApp({
  id: 'drycleaner',
  title: 'Sparrow dry cleaning',
  about: 'The counter of a dry cleaner: tickets, pieces, hooks on the rail, and drop-off.',
  state,
  init(random) {
    const hooks = random.shuffle(slots);
    const tickets = random.shuffle([...people, ...people, ...people.slice(0, 8)]).map((customer, index) => {
      const stage = random.pick([...stages, 'ready' as const]);
      return {
        id: `t${index + 1}`,
        number: `${4310 + index * 3 + random.between(0, 2)}`,
        customer,
        due: random.pick(days),
        stage,
        slot: stage === 'ready' ? (hooks[index] ?? '') : '',
        paid: stage === 'collected' || random.chance(0.4),
        express: random.chance(0.2),
      };
    });
    const pieces = tickets
      .flatMap(({ id }) => random.sample(garments, random.between(1, 3)).map(garment => ({ ticket: id, garment })))
      .map(({ ticket: of, garment }, index) => ({
        id: `p${index + 1}`,
        ticket: of,
        garment,
        colour: random.pick(colours),
        service: random.pick(services),
        remark: random.chance(0.15) ? random.pick(stains) : '',
      }));
    return {
      tickets,
      pieces,
      ui: {
        tab: 'counter' as const,
        find: '',
        open: null,
        remarking: null,
        customer: '',
        due: '',
        express: false,
        garment: '',
        service: '',
        basket: [],
        notice: '',
      },
    };
  },
  commands: [
    hang,
    takePayment,
    handOver,
    postpone,
    remark,
    open,
    findTickets,
    goTo,
    seek,
    show,
    startRemark,
    fillIn,
    tickExpress,
    lay,
    empty,
  ],
  view(cleaner) {
    const { ui, tickets } = cleaner;
    const it = find(tickets, ui.open ?? '');
    const tabs = [
      ['counter', 'Counter'],
      ['rail', 'Rail'],
      ['drop-off', 'Drop-off'],
    ] as const;
    return page('Sparrow dry cleaning', [
      navigation(
        'Till',
        tabs.map(([key, name]) => tab(name, goTo.with({ tab: key }), ui.tab === key ? ['selected'] : [])),
      ),
      ui.notice !== '' && alert(ui.notice),
      ui.tab === 'counter' && (it === undefined ? counter(cleaner) : slip(cleaner, it)),
      ui.tab === 'drop-off' && dropOff(cleaner),
      ui.tab === 'rail' &&
        table(
          'Rail',
          slots.flatMap(slot => {
            const there = tickets.find(other => other.slot === slot);
            if (there === undefined) return [];
            return [
              row(slot, [
                cell(slot),
                cell(there.number),
                cell(there.customer),
                button(`Slip ${there.number}`, show.with({ id: there.id })),
              ]),
            ];
          }),
        ),
    ]);
  },
  templates: [remarkOn, hangUp, collect, bring, whichHook, delay],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
