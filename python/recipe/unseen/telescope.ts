import {
  added,
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  row,
  status,
  table,
  cell,
  text,
  textbox,
  z,
} from 'espalier';

// Tonight's queue of an observatory. Order in the queue is a rank that one may shift.
const instruments = ['Spectrograph', 'Wide-field camera', 'Infrared imager', 'Polarimeter'];
const filters = ['u', 'g', 'r', 'i', 'z', 'H-alpha'];
const state = z.object({
  blocks: z.array(
    z.object({
      id: z.string(),
      object: z.string(),
      programme: z.string(),
      instrument: z.string(),
      filter: z.string(),
      minutes: z.int(),
      state: z.enum(['queued', 'on hold', 'observed']),
      priority: z.enum(['A', 'B', 'C']),
    }),
  ),
  programmes: z.array(
    z.object({ id: z.string(), code: z.string(), pi: z.string(), institute: z.string(), hours: z.int() }),
  ),
  weather: z.array(z.object({ id: z.string(), time: z.string(), seeing: z.string(), remark: z.string() })),
  dome: z.object({ shutter: z.boolean(), lamps: z.boolean(), fans: z.boolean() }),
  ui: z.object({
    room: z.string(),
    block: z.string(),
    programme: z.string(),
    wizard: z.int(),
    object: z.string(),
    instrument: z.string(),
    filter: z.string(),
    minutes: z.string(),
    forProgramme: z.string(),
    exposure: z.string(),
    remark: z.string(),
    beep: z.string(),
  }),
});
type Night = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const setState = command('set_block_state', {
  about: 'Queue a block, put it on hold or mark it as observed.',
  input: z.object({ block: z.string(), to: z.enum(['queued', 'on hold', 'observed']) }),
  run(draft, { block, to }) {
    const it = need(draft.blocks, block, 'block');
    if (it.state === 'observed') refuse('What was observed stays observed.');
    it.state = to;
    draft.ui.beep = `${it.object}: ${to}`;
  },
});
const prioritise = command('set_priority', {
  about: 'Set the priority of a block.',
  input: z.object({ block: z.string(), priority: z.enum(['A', 'B', 'C']) }),
  run(draft, { block, priority }) {
    need(draft.blocks, block, 'block').priority = priority;
  },
});
const expose = command('set_minutes', {
  about: 'Set the exposure time of a block in minutes.',
  input: z.object({ block: z.string(), exposure: z.string() }),
  run(draft, { block, exposure }) {
    if (!/^\d{1,3}$/.test(exposure.trim())) refuse('Minutes, as a whole number.');
    need(draft.blocks, block, 'block').minutes = Number(exposure.trim());
    Object.assign(draft.ui, { exposure: '', beep: 'Exposure changed' });
  },
});
const swapFilter = command('set_filter', {
  about: 'Choose the filter of a block.',
  input: z.object({ block: z.string(), value: z.string() }),
  run(draft, { block, value }) {
    if (!filters.includes(value)) refuse('Not in the wheel.');
    need(draft.blocks, block, 'block').filter = value;
  },
});
const plan = command('plan_block', {
  about: 'Add an observation to the queue.',
  input: z.object({
    object: z.string(),
    programme: z.string(),
    instrument: z.string(),
    filter: z.string(),
    minutes: z.string(),
  }),
  run(draft, { object, programme, instrument, filter, minutes }) {
    if (object.trim() === '') refuse('Which object?');
    const it = draft.programmes.find(({ code }) => code === programme) ?? refuse('Which programme?');
    if (!instruments.includes(instrument) || !filters.includes(filter)) refuse('Instrument and filter are needed.');
    if (!/^\d{1,3}$/.test(minutes.trim())) refuse('How many minutes?');
    draft.blocks.push({
      id: nextId(draft.blocks, 'o'),
      object: object.trim(),
      programme: it.id,
      instrument,
      filter,
      minutes: Number(minutes.trim()),
      state: 'queued',
      priority: 'B',
    });
    Object.assign(draft.ui, {
      room: 'queue',
      wizard: 0,
      object: '',
      instrument: '',
      filter: '',
      minutes: '',
      forProgramme: '',
      beep: 'Added to the queue',
    });
  },
});
const drop = command('drop_block', {
  about: 'Drop a block from the night.',
  input: z.object({ block: z.string() }),
  run(draft, { block }) {
    if (need(draft.blocks, block, 'block').state === 'observed') refuse('What was observed stays.');
    remove(draft.blocks, block);
    Object.assign(draft.ui, { room: 'queue', block: '', beep: 'Dropped' });
  },
});
const actuate = command('actuate', {
  about: 'Operate a part of the dome.',
  input: z.object({ part: z.enum(['shutter', 'lamps', 'fans']) }),
  run(draft, { part }) {
    if (part === 'shutter' && !draft.dome.shutter && draft.dome.lamps)
      refuse('Lamps are on: switch them off before the shutter opens.');
    draft.dome[part] = !draft.dome[part];
    draft.ui.beep = '';
  },
});
const readQueue = query('read_queue', {
  about: 'Read all blocks of the night.',
  input: z.object({}),
  run: ({ blocks, programmes }) => blocks.map(it => ({ ...it, code: find(programmes, it.programme)?.code ?? '' })),
});
const walk = gesture('walk', {
  about: 'Go to another room.',
  input: z.object({ room: z.string(), block: z.string(), programme: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { wizard: 0, exposure: '', beep: '' });
  },
});
const wizardTo = gesture('wizard_to', {
  about: 'Step through the plan of a new block.',
  input: z.object({ step: z.int() }),
  run(draft, { step }) {
    if (step === 2 && (draft.ui.object.trim() === '' || draft.ui.forProgramme === ''))
      refuse('Object and programme come first.');
    Object.assign(draft.ui, { wizard: step, beep: '' });
  },
});
const key = gesture('key', {
  about: 'Enter something.',
  input: z.object({
    field: z.enum(['object', 'instrument', 'filter', 'minutes', 'forProgramme', 'exposure']),
    value: z.string().max(40),
  }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const go = (room: string, more: { block?: string; programme?: string } = {}) =>
  walk.with({ room, block: '', programme: '', ...more });

function room({ blocks, programmes, weather, dome, ui }: Night) {
  if (ui.wizard === 1)
    return [
      dialog('Plan a block (1/2)', [
        textbox('Object', ui.object, { enter: key.entering({ field: 'object' }) }),
        combobox('For programme', ui.forProgramme, {
          enter: key.entering({ field: 'forProgramme' }),
          options: programmes.map(({ code }) => code),
        }),
        button('Continue', wizardTo.with({ step: 2 })),
        button('Abandon', wizardTo.with({ step: 0 })),
      ]),
    ];
  if (ui.wizard === 2)
    return [
      dialog('Plan a block (2/2)', [
        text(`${ui.object} for ${ui.forProgramme}`),
        ...instruments.map(name => radio(name, ui.instrument === name, key.with({ field: 'instrument', value: name }))),
        combobox('Filter', ui.filter, { enter: key.entering({ field: 'filter' }), options: filters }),
        textbox('Minutes', ui.minutes, { enter: key.entering({ field: 'minutes' }) }),
        button(
          'Add to tonight',
          plan.with({
            object: ui.object,
            programme: ui.forProgramme,
            instrument: ui.instrument,
            filter: ui.filter,
            minutes: ui.minutes,
          }),
        ),
        button('Back', wizardTo.with({ step: 1 })),
      ]),
    ];
  if (ui.room === 'dome')
    return [
      heading('Dome'),
      status(`Shutter ${dome.shutter ? 'open' : 'closed'}`),
      button(dome.shutter ? 'Close shutter' : 'Open shutter', actuate.with({ part: 'shutter' })),
      status(`Lamps ${dome.lamps ? 'on' : 'off'}`),
      button(dome.lamps ? 'Lamps off' : 'Lamps on', actuate.with({ part: 'lamps' })),
      status(`Fans ${dome.fans ? 'running' : 'still'}`),
      button(dome.fans ? 'Stop fans' : 'Start fans', actuate.with({ part: 'fans' })),
      table(
        'Conditions',
        weather.map(it => row(it.time, [cell(it.time), cell(`seeing ${it.seeing}″`), cell(it.remark)])),
      ),
    ];
  if (ui.room === 'programmes')
    return [heading('Programmes'), ...programmes.map(it => link(it.code, go('programme', { programme: it.id })))];
  if (ui.room === 'programme') {
    const it = need(programmes, ui.programme, 'programme');
    return [
      heading(`Programme ${it.code}`),
      text(`PI: ${it.pi}, ${it.institute}`),
      text(`Hours granted: ${it.hours}`),
      list(
        'Blocks tonight',
        blocks
          .filter(({ programme }) => programme === it.id)
          .map(one => listItem(one.object, [link(one.object, go('block', { block: one.id }))])),
      ),
    ];
  }
  if (ui.room === 'block') {
    const it = need(blocks, ui.block, 'block');
    const owner = find(programmes, it.programme);
    return [
      heading(it.object),
      text(`${it.instrument}, ${it.minutes} min`),
      link(`Programme ${owner?.code ?? ''}`, go('programme', { programme: it.programme })),
      status(it.state),
      region(
        'Priority',
        (['A', 'B', 'C'] as const).map(priority =>
          radio(priority, it.priority === priority, prioritise.with({ block: it.id, priority })),
        ),
      ),
      combobox('Filter', it.filter, { enter: swapFilter.entering({ block: it.id }), options: filters }),
      textbox('Exposure (min)', ui.exposure, { enter: key.entering({ field: 'exposure' }) }),
      button('Set exposure', expose.with({ block: it.id, exposure: ui.exposure })),
      it.state === 'queued' && button('Hold', setState.with({ block: it.id, to: 'on hold' })),
      it.state === 'on hold' && button('Release', setState.with({ block: it.id, to: 'queued' })),
      it.state !== 'observed' && button('Mark observed', setState.with({ block: it.id, to: 'observed' })),
      it.state !== 'observed' && button('Drop', drop.with({ block: it.id })),
    ];
  }
  return [
    ...(['queued', 'on hold', 'observed'] as const).map(name =>
      list(
        name.toUpperCase(),
        blocks
          .filter(it => it.state === name)
          .map(it =>
            listItem(`${it.priority} ${it.object}`, [
              link(`${it.object} (${it.minutes} min)`, go('block', { block: it.id })),
            ]),
          ),
      ),
    ),
    button('Plan a block…', wizardTo.with({ step: 1 })),
  ];
}

const open = (blocks: Night['blocks']) => blocks.filter(it => it.state !== 'observed');
const holdTask = template('hold-or-release', {
  about: 'Put a block on hold, or release it.',
  split: 'test',
  sample({ blocks }, random) {
    const it = random.pick(open(blocks));
    return { id: it.id, object: it.object, to: it.state === 'queued' ? ('on hold' as const) : ('queued' as const) };
  },
  instruction: ({ object, to }) =>
    to === 'queued'
      ? `Clouds are gone, ${object} can go back into the queue.`
      : `hold ${object} for now, too close to the moon`,
  checks: ({ id, to }) => [{ name: 'the state is right', test: final => find(final.blocks, id)?.state === to }],
  allow: ({ id }) => [`/blocks/${id}/state`],
});
const planTask = template('plan-block', {
  about: 'Add an observation to the queue.',
  split: 'test',
  sample({ programmes, blocks }, random) {
    const object = `${random.pick(['UGC', 'PGC', 'HIP'])} ${random.between(1000, 9999)}`;
    if (blocks.some(it => it.object === object)) return null;
    const programme = random.pick(programmes);
    return {
      object,
      forProgramme: programme.code,
      programme: programme.id,
      instrument: random.pick(instruments),
      filter: random.pick(filters),
      minutes: String(random.between(11, 95)),
    };
  },
  instruction: ({ object, forProgramme, instrument, filter, minutes }) =>
    `Please add ${object} to tonight's plan for programme ${forProgramme}: ${instrument}, ${filter} filter, ${minutes} minutes.`,
  checks: ({ object, programme, instrument, filter, minutes }) => [
    {
      name: 'one block was planned',
      test(final, initial) {
        const [made, ...more] = added(initial.blocks, final.blocks);
        return (
          made?.object === object &&
          made.programme === programme &&
          made.instrument === instrument &&
          made.filter === filter &&
          made.minutes === Number(minutes) &&
          made.state === 'queued' &&
          made.priority === 'B' &&
          more.length === 0
        );
      },
    },
  ],
  allow: () => ['/blocks/+'],
});
const exposeTask = template('longer-exposure', {
  about: 'Change exposure and priority of a block.',
  split: 'test',
  sample({ blocks }, random) {
    const it = random.pick(open(blocks));
    return {
      id: it.id,
      object: it.object,
      exposure: String(it.minutes + random.between(5, 40)),
      priority: random.pick((['A', 'B', 'C'] as const).filter(one => one !== it.priority)),
    };
  },
  instruction: ({ object, exposure, priority }) =>
    `${object} needs ${exposure} min of exposure, and make it priority ${priority}.`,
  checks: ({ id, exposure, priority }) => [
    { name: 'the exposure is right', test: final => find(final.blocks, id)?.minutes === Number(exposure) },
    { name: 'the priority is right', test: final => find(final.blocks, id)?.priority === priority },
  ],
  allow: ({ id }) => [`/blocks/${id}/minutes`, `/blocks/${id}/priority`],
});
const dropTask = template('drop-longest', {
  about: 'Drop the longest block in the queue.',
  split: 'test',
  sample({ blocks }, random) {
    return { id: random.pick(blocks.filter(it => it.state === 'queued')).id, more: random.between(1, 30) };
  },
  setup(draft, { id, more }) {
    need(draft.blocks, id, 'block').minutes = Math.max(...draft.blocks.map(({ minutes }) => minutes)) + more;
  },
  instruction: () => 'We are running out of night. Drop the longest observation that is still queued.',
  checks: ({ id }) => [{ name: 'the block is gone', test: final => find(final.blocks, id) === undefined }],
  allow: ({ id }) => [`/blocks/${id}`],
});
const filterTask = template('same-filter', {
  about: 'Give a block the filter of another one.',
  split: 'test',
  sample({ blocks }, random) {
    const [one, other] = random.sample(open(blocks), 2) as [Night['blocks'][number], Night['blocks'][number]];
    return one.filter === other.filter
      ? null
      : { id: one.id, object: one.object, other: other.id, otherObject: other.object };
  },
  instruction: ({ object, otherObject }) =>
    `Use the same filter for ${object} as for ${otherObject}, saves us turning the wheel.`,
  checks: ({ id, other }) => [
    {
      name: 'the filters are the same',
      test: (final, initial) => find(final.blocks, id)?.filter === find(initial.blocks, other)?.filter,
    },
  ],
  allow: ({ id }) => [`/blocks/${id}/filter`],
});
const piQuestion = template('who-is-pi', {
  about: 'Say who leads the programme that an object is observed for.',
  split: 'test',
  sample({ blocks }, random) {
    const { object, programme } = random.pick(blocks);
    return { object, programme };
  },
  instruction: ({ object }) => `Who is the PI behind ${object}? Name only, I want to write to them.`,
  checks: () => [],
  allow: () => [],
  answer: ({ programme }, { programmes }) => need(programmes, programme, 'programme').pi,
  shown: ({ ui }, { programme }) => ui.room === 'programme' && ui.programme === programme,
});

export const app = defineApp({
  id: 'telescope',
  title: 'Night desk',
  about: 'The observing queue of a telescope for one night.',
  state,
  init(random) {
    const pis = random.sample(
      [
        'Noor Haidari',
        'Pavel Reznik',
        'Sunniva Lie',
        'Tadashi Mori',
        'Imogen Clay',
        'Rafael Quiroga',
        'Adaeze Obi',
        'Lucie Marchand',
        'Goran Pilic',
        'Hinemoa Rata',
      ],
      8,
    );
    const programmes = pis.map((pi, index) => ({
      id: `g${index + 1}`,
      code: `${random.between(111, 119)}.${random.pick(['A', 'B', 'C', 'D'])}-0${10 * (index + 1) + random.between(0, 9)}`,
      pi,
      institute: random.pick(['Leiden', 'Kyoto', 'La Plata', 'Uppsala', 'Nsukka']),
      hours: random.between(4, 60),
    }));
    const objects = random.sample(
      [31, 33, 42, 45, 51, 57, 63, 64, 74, 77, 81, 82, 83, 87, 92, 97, 101, 104, 106, 110]
        .map(number => `Messier ${number}`)
        .concat(['Barnard 68', 'Sharpless 106', 'Arp 220', 'Hoag ring', 'Markarian 421', 'Stephan quintet']),
      18,
    );
    return {
      programmes,
      blocks: objects.map((object, index) => ({
        id: `o${index + 1}`,
        object,
        programme: random.pick(programmes).id,
        instrument: random.pick(instruments),
        filter: random.pick(filters),
        minutes: random.between(5, 90),
        state: (['queued', 'queued', 'on hold', 'queued', 'observed', 'queued'] as const)[index % 6] as 'queued',
        priority: random.pick(['A', 'B', 'C'] as const),
      })),
      weather: ['21:00', '22:00', '23:00', '00:00'].map((time, index) => ({
        id: `h${index + 1}`,
        time,
        seeing: `${random.between(0, 1)}.${random.between(4, 9)}`,
        remark: random.pick(['clear', 'thin cirrus', 'gusty', 'humid']),
      })),
      dome: { shutter: random.chance(0.5), lamps: false, fans: random.chance(0.5) },
      ui: {
        room: 'queue',
        block: '',
        programme: '',
        wizard: 0,
        object: '',
        instrument: '',
        filter: '',
        minutes: '',
        forProgramme: '',
        exposure: '',
        remark: '',
        beep: '',
      },
    };
  },
  commands: [setState, prioritise, expose, swapFilter, plan, drop, actuate, readQueue, walk, wizardTo, key],
  view: night =>
    page('Night desk', [
      night.ui.wizard === 0 &&
        region('Rooms', [
          button('Queue', go('queue')),
          button('Programmes', go('programmes')),
          button('Dome', go('dome')),
        ]),
      night.ui.beep !== '' && alert(night.ui.beep),
      ...room(night),
    ]),
  templates: [holdTask, planTask, exposeTask, dropTask, filterTask, piQuestion],
  onRefusal(draft, message) {
    draft.ui.beep = message;
  },
});
