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
  navigation,
  need,
  nextId,
  page,
  refuse,
  remove,
  row,
  searchBox,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

// The election office of a municipality: polling places and the volunteers who staff them.
const roles = ['Presiding officer', 'Clerk', 'Teller', 'Reserve'];
const wards = ['East', 'West', 'Centre'];
const state = z.object({
  places: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      venue: z.string(),
      ward: z.string(),
      stepFree: z.boolean(),
      voters: z.int(),
      keys: z.string(),
    }),
  ),
  volunteers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: z.string(),
      trained: z.boolean(),
      place: z.string().nullable(),
      role: z.string(),
    }),
  ),
  ui: z.object({
    page: z.string(),
    place: z.string(),
    volunteer: z.string(),
    who: z.string(),
    ward: z.string(),
    name: z.string(),
    phone: z.string(),
    keys: z.string(),
    hint: z.string(),
  }),
});
type Office = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const post = command('post_volunteer', {
  about: 'Post a volunteer to a polling place, or take them off.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.volunteers, id, 'volunteer');
    if (value === 'unassigned') it.place = null;
    else
      it.place = (
        draft.places.find(place => `${place.number} ${place.venue}` === value) ??
        refuse('There is no such polling place.')
      ).id;
    draft.ui.hint = 'Saved';
  },
});
const setRole = command('set_role', {
  about: 'Give a volunteer a role.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.volunteers, id, 'volunteer');
    if (!roles.includes(value)) refuse('There is no such role.');
    if (value === 'Presiding officer' && !it.trained) refuse('A presiding officer has to be trained.');
    it.role = value;
    draft.ui.hint = 'Saved';
  },
});
const train = command('toggle_trained', {
  about: 'Tick or untick that a volunteer attended the training.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.volunteers, id, 'volunteer');
    it.trained = !it.trained;
  },
});
const enrol = command('enrol_volunteer', {
  about: 'Enrol a new volunteer.',
  input: z.object({
    name: z.string().trim().min(1, 'A name, please.'),
    phone: z.string().trim().min(1, 'A phone number, please.'),
  }),
  run(draft, { name, phone }) {
    draft.volunteers.push({
      id: nextId(draft.volunteers, 'v'),
      name,
      phone,
      trained: false,
      place: null,
      role: 'Reserve',
    });
    Object.assign(draft.ui, { page: 'people', name: '', phone: '', who: '', hint: `${name} is enrolled` });
  },
});
const strikeOff = command('strike_off', {
  about: 'Take a volunteer off the list.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.volunteers, id, 'volunteer');
    remove(draft.volunteers, id);
    Object.assign(draft.ui, { page: 'people', volunteer: '', hint: 'Struck off the list' });
  },
});
const setKeys = command('set_key_holder', {
  about: 'Record who has the keys of a polling place.',
  input: z.object({ place: z.string(), keys: z.string().trim().min(1, 'Who has them?') }),
  run(draft, { place, keys }) {
    need(draft.places, place, 'polling place').keys = keys;
    Object.assign(draft.ui, { keys: '', hint: 'Key holder recorded' });
  },
});
const whoIsWhere = query('who_is_where', {
  about: 'List volunteers with their polling places.',
  input: z.object({ text: z.string() }),
  run: ({ volunteers, places }, input) =>
    volunteers
      .filter(({ name }) => name.includes(input.text))
      .map(it => ({ ...it, venue: find(places, it.place ?? '')?.venue ?? 'unassigned' })),
});
const turnTo = gesture('turn_to', {
  about: 'Turn to a page.',
  input: z.object({ page: z.string(), place: z.string(), volunteer: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { who: '', name: '', phone: '', keys: '', hint: '' });
  },
});
const put = gesture('put', {
  about: 'Fill a field.',
  input: z.object({ field: z.enum(['who', 'ward', 'name', 'phone', 'keys']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function sheet({ places, volunteers, ui }: Office) {
  const person = (it: Office['volunteers'][number]) => turnTo.with({ page: 'person', place: '', volunteer: it.id });
  if (ui.page === 'places')
    return [
      combobox('Ward', ui.ward, { enter: put.entering({ field: 'ward' }), options: ['All wards', ...wards] }),
      table(
        'Polling places',
        places
          .filter(({ ward }) => ui.ward === 'All wards' || ward === ui.ward)
          .map(it =>
            row(it.number, [
              cell(it.number),
              link(it.venue, turnTo.with({ page: 'place', place: it.id, volunteer: '' })),
              cell(`${volunteers.filter(({ place }) => place === it.id).length} staff`),
            ]),
          ),
      ),
    ];
  if (ui.page === 'place') {
    const it = need(places, ui.place, 'polling place');
    return [
      heading(`${it.number} ${it.venue}`),
      text(`Ward: ${it.ward}`),
      text(`Registered voters: ${it.voters}`),
      text(it.stepFree ? 'Step-free access' : 'Steps at the entrance'),
      text(`Keys are with: ${it.keys}`),
      table(
        'Staff',
        volunteers
          .filter(({ place }) => place === it.id)
          .map(one => row(one.name, [link(one.name, person(one)), cell(one.role)])),
      ),
      form('Keys', [
        textbox('New key holder', ui.keys, { enter: put.entering({ field: 'keys' }) }),
        button('Record key holder', setKeys.with({ place: it.id, keys: ui.keys })),
      ]),
    ];
  }
  if (ui.page === 'people') {
    const wanted = ui.who.trim().toLowerCase();
    const hits = wanted.length < 2 ? [] : volunteers.filter(({ name }) => name.toLowerCase().includes(wanted));
    return [
      searchBox('Volunteers', [textbox('Type a name', ui.who, { enter: put.entering({ field: 'who' }) })]),
      wanted.length < 2
        ? text(`${volunteers.length} volunteers; type at least two letters`)
        : status(`${hits.length} found`),
      ...hits.map(it => link(it.name, person(it))),
    ];
  }
  if (ui.page === 'enrol')
    return [
      form('Enrolment', [
        textbox('Full name', ui.name, { enter: put.entering({ field: 'name' }) }),
        textbox('Telephone', ui.phone, { enter: put.entering({ field: 'phone' }) }),
        button('Enrol', enrol.with({ name: ui.name, phone: ui.phone })),
      ]),
    ];
  const it = need(volunteers, ui.volunteer, 'volunteer');
  const at = find(places, it.place ?? '');
  return [
    heading(it.name),
    text(`Tel. ${it.phone}`),
    checkbox('Attended the training', it.trained, train.with({ id: it.id })),
    combobox('Posted to', at === undefined ? 'unassigned' : `${at.number} ${at.venue}`, {
      enter: post.entering({ id: it.id }),
      options: ['unassigned', ...places.map(({ number, venue }) => `${number} ${venue}`)],
    }),
    combobox('Role', it.role, { enter: setRole.entering({ id: it.id }), options: roles }),
    button('Strike off the list', strikeOff.with({ id: it.id })),
  ];
}

const postTask = template('post-volunteer', {
  about: 'Post a volunteer to a venue.',
  split: 'test',
  sample({ volunteers, places }, random) {
    const { id, name, place: now } = random.pick(volunteers);
    const place = random.pick(places.filter(it => it.id !== now));
    return { id, name, place: place.id, venue: place.venue };
  },
  instruction: ({ name, venue }) => `${name} will help out at ${venue}, please post them there.`,
  checks: ({ id, place }) => [
    { name: 'they are posted there', test: final => find(final.volunteers, id)?.place === place },
  ],
  allow: ({ id }) => [`/volunteers/${id}/place`],
});
const enrolTask = template('enrol', {
  about: 'Enrol a new volunteer.',
  split: 'test',
  sample: (_, random) => ({
    name: `${random.pick(['Zelda', 'Yorick', 'Wanda', 'Viktor', 'Ursula'])} ${random.pick(['Abbot', 'Crane', 'Finch', 'Grieve', 'Hollis'])}`,
    phone: `0${random.between(300, 899)} ${random.between(100000, 999999)}`,
  }),
  instruction: ({ name, phone }) => `New volunteer! ${name}, phone ${phone}. Get them on the list.`,
  checks: ({ name, phone }) => [
    {
      name: 'one volunteer was enrolled',
      test(final, initial) {
        const [made, ...more] = added(initial.volunteers, final.volunteers);
        return (
          made?.name === name &&
          made.phone === phone &&
          !made.trained &&
          made.place === null &&
          made.role === 'Reserve' &&
          more.length === 0
        );
      },
    },
  ],
  allow: () => ['/volunteers/+'],
});
const promoteTask = template('train-and-promote', {
  about: 'Tick the training of a volunteer and make them presiding officer.',
  split: 'test',
  sample({ volunteers }, random) {
    const { id, name } = random.pick(volunteers);
    return { id, name };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.volunteers, id, 'volunteer'), { trained: false, role: 'Clerk' });
  },
  instruction: ({ name }) => `${name} did the training yesterday. Tick that, then make them presiding officer.`,
  checks: ({ id }) => [
    { name: 'the training is ticked', test: final => find(final.volunteers, id)?.trained === true },
    { name: 'they preside', test: final => find(final.volunteers, id)?.role === 'Presiding officer' },
  ],
  allow: ({ id }) => [`/volunteers/${id}/trained`, `/volunteers/${id}/role`],
});
const strikeTask = template('withdraw', {
  about: 'Take a volunteer off the list.',
  split: 'test',
  sample({ volunteers }, random) {
    const { id, name } = random.pick(volunteers);
    return { id, name };
  },
  instruction: ({ name }) => `${name} has moved abroad and can't volunteer any more`,
  checks: ({ id }) => [{ name: 'they are off the list', test: final => find(final.volunteers, id) === undefined }],
  allow: ({ id }) => [`/volunteers/${id}`],
});
const keysTask = template('hand-over-keys', {
  about: 'Record a new key holder of a venue.',
  split: 'test',
  sample({ places }, random) {
    const { id, venue } = random.pick(places);
    return {
      id,
      venue,
      keys: `${random.pick(['Mr', 'Ms', 'Dr'])} ${random.pick(['Pym', 'Lovell', 'Achebe', 'Tanaka', 'Brandt'])}`,
    };
  },
  instruction: ({ venue, keys }) => `keys for ${venue} are now with ${keys}`,
  checks: ({ id, keys }) => [
    { name: 'the key holder is recorded', test: final => find(final.places, id)?.keys === keys },
  ],
  allow: ({ id }) => [`/places/${id}/keys`],
});
const phoneQuestion = template('phone-of-officer', {
  about: 'Say the telephone number of the presiding officer of a venue.',
  split: 'test',
  sample({ volunteers, places }, random) {
    const place = random.pick(places);
    const staff = volunteers.filter(it => it.place === place.id);
    if (staff.length === 0) return null;
    return { venue: place.venue, place: place.id, id: random.pick(staff).id };
  },
  setup(draft, { place, id }) {
    for (const it of draft.volunteers) if (it.place === place && it.role === 'Presiding officer') it.role = 'Teller';
    Object.assign(need(draft.volunteers, id, 'volunteer'), { trained: true, role: 'Presiding officer' });
  },
  instruction: ({ venue }) => `I have to ring the presiding officer at ${venue}. What's the number?`,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { volunteers }) => need(volunteers, id, 'volunteer').phone,
  shown: ({ ui }, { id }) => ui.page === 'person' && ui.volunteer === id,
});

export const app = defineApp({
  id: 'polling',
  title: 'Election office',
  about: 'Polling places and volunteers for election day.',
  state,
  init(random) {
    const venues = random.sample(
      [
        'St Olaf School',
        'Fire Station',
        'Swimming Baths',
        'Bowling Club',
        'Old Granary',
        'Library Annexe',
        'Tennis Pavilion',
        'Methodist Hall',
        'Ferry Terminal',
        'Music School',
        'Scout Hut',
        'Farmers Market',
      ],
      9,
    );
    const places = venues.map((venue, index) => ({
      id: `q${index + 1}`,
      number: `${random.pick(['P', 'R'])}${index + 11}`,
      venue,
      ward: random.pick(wards),
      stepFree: random.chance(0.7),
      voters: random.between(400, 2900),
      keys: random.pick(['Caretaker', 'Town clerk', 'Mrs Odell', 'Security desk']),
    }));
    const given = ['Alma', 'Boris', 'Celia', 'Dov', 'Edith', 'Franz', 'Gita', 'Hal'];
    const family = ['Winter', 'Sandoval', 'Ekberg', 'Nkemelu', 'Rasmussen', 'Ito'];
    return {
      places,
      volunteers: random
        .sample(
          given.flatMap(one => family.map(two => `${one} ${two}`)),
          28,
        )
        .map((name, index) => ({
          id: `v${index + 1}`,
          name,
          phone: `0${random.between(300, 899)} ${random.between(100000, 999999)}`,
          trained: random.chance(0.6),
          place: random.chance(0.8) ? random.pick(places).id : null,
          role: random.pick(['Clerk', 'Teller', 'Reserve']),
        })),
      ui: {
        page: 'places',
        place: '',
        volunteer: '',
        who: '',
        ward: 'All wards',
        name: '',
        phone: '',
        keys: '',
        hint: '',
      },
    };
  },
  commands: [post, setRole, train, enrol, strikeOff, setKeys, whoIsWhere, turnTo, put],
  view: office =>
    page('Election office', [
      navigation('Pages', [
        link('Polling places', turnTo.with({ page: 'places', place: '', volunteer: '' })),
        link('Find volunteers', turnTo.with({ page: 'people', place: '', volunteer: '' })),
        link('Enrol a volunteer', turnTo.with({ page: 'enrol', place: '', volunteer: '' })),
      ]),
      office.ui.hint !== '' && alert(office.ui.hint),
      ...sheet(office),
    ]),
  templates: [postTask, enrolTask, promoteTask, strikeTask, keysTask, phoneQuestion],
  onRefusal(draft, message) {
    draft.ui.hint = message;
  },
});
