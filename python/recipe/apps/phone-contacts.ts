// The address book of a phone: A–Z list, a card for each person, an edit form, favourites and blocked numbers.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
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
  remove,
  searchBox,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const GROUPS = ['None', 'Family', 'Work', 'Neighbours', 'Football', 'School'] as const;
const state = z.object({
  people: z.array(
    z.object({
      id: z.string(),
      first: z.string(),
      last: z.string(),
      phone: z.string(),
      group: z.enum(GROUPS),
      birthday: z.string(),
      starred: z.boolean(),
      blocked: z.boolean(),
      sim: z.boolean(),
    }),
  ),
  ui: z.object({
    tab: z.string(),
    open: z.string(),
    mode: z.string(),
    search: z.string(),
    first: z.string(),
    last: z.string(),
    phone: z.string(),
    group: z.enum(GROUPS),
  }),
});
type State = z.infer<typeof state>;
type Person = State['people'][number];
const { command, gesture, query, template } = appKit(state);
const full = (p: Person) => `${p.first} ${p.last}`;

const saveContact = command('save_contact', {
  about: 'Save the form: a new contact, or changes to the one that is open.',
  input: z.object({
    id: z.string(),
    first: z.string(),
    last: z.string(),
    phone: z.string(),
    group: z.enum(GROUPS),
  }),
  run(draft, { id, first, last, phone, group }) {
    if (first.trim() === '' || phone.trim() === '') refuse('A contact needs a first name and a number.');
    if (id === '') {
      const made = nextId(draft.people, 'c');
      draft.people.push({
        id: made,
        first,
        last,
        phone,
        group,
        birthday: '–',
        starred: false,
        blocked: false,
        sim: false,
      });
      Object.assign(draft.ui, { open: made, mode: 'card' });
      return;
    }
    const p = need(draft.people, id, 'contact');
    if (p.sim) refuse('Contacts on the SIM card are read-only.');
    Object.assign(p, { first, last, phone, group });
    draft.ui.mode = 'card';
  },
});
const star = command('toggle_star', {
  about: 'Add a contact to the favourites, or take it out.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.people, id, 'contact');
    p.starred = !p.starred;
  },
});
const block = command('toggle_block', {
  about: 'Block or unblock a number.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = need(draft.people, id, 'contact');
    p.blocked = !p.blocked;
  },
});
const erase = command('delete_contact', {
  about: 'Delete a contact for good.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    if (need(draft.people, id, 'contact').sim) refuse('Contacts on the SIM card are read-only.');
    remove(draft.people, id);
    Object.assign(draft.ui, { mode: 'list', open: '' });
  },
});
const lookUp = query('look_up', {
  about: 'Look up contacts by a part of the name or number. Empty text lists everyone.',
  input: z.object({ text: z.string() }),
  run: ({ people }, { text }) =>
    people
      .filter(p => `${full(p)} ${p.phone}`.toLowerCase().includes(text.toLowerCase()))
      .map(p => ({ ...p, name: full(p), storage: p.sim ? 'SIM card, read-only' : 'Phone' })),
});

const showTab = gesture('show_tab', {
  about: 'Switch between the tabs at the bottom.',
  input: z.object({ name: z.string() }),
  run(draft, { name }) {
    Object.assign(draft.ui, { tab: name, mode: 'list', open: '', search: '' });
  },
});
const open = gesture('open_contact', {
  about: 'Open a contact.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { open: id, mode: 'card' });
  },
});
const setMode = gesture('set_mode', {
  about: 'Go back, ask before deleting, or cancel.',
  input: z.object({ mode: z.string() }),
  run(draft, { mode }) {
    draft.ui.mode = mode;
  },
});
const edit = gesture('edit_contact', {
  about: 'Open the form for a contact, or an empty one.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const p = find(draft.people, id);
    Object.assign(draft.ui, {
      open: id,
      mode: 'edit',
      first: p?.first ?? '',
      last: p?.last ?? '',
      phone: p?.phone ?? '',
      group: p?.group ?? 'None',
    });
  },
});
const typeInto = gesture('type_into', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['first', 'last', 'phone', 'search']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const pickGroup = gesture('pick_group', {
  about: 'Choose the group in the form.',
  input: z.object({ value: z.enum(GROUPS) }),
  run(draft, { value }) {
    draft.ui.group = value;
  },
});

const byName = (people: Person[]) => people.toSorted((a, b) => (full(a) < full(b) ? -1 : 1));
const cardOf = (p: Person) => [
  link('‹ Contacts', setMode.with({ mode: 'list' })),
  heading(full(p)),
  text(`mobile ${p.phone}`),
  text(`Birthday: ${p.birthday}`),
  text(`Group: ${p.group}`),
  text(p.sim ? 'Stored on: SIM card (read-only)' : 'Stored on: Phone'),
  button(p.starred ? '★ Remove from favourites' : '☆ Add to favourites', star.with({ id: p.id })),
  button(p.blocked ? 'Unblock caller' : 'Block caller', block.with({ id: p.id })),
  !p.sim && button('Edit', edit.with({ id: p.id })),
  !p.sim && button('Delete contact', setMode.with({ mode: 'sure' })),
];
const formOf = ({ ui }: State) => [
  form(ui.open === '' ? 'New contact' : 'Edit contact', [
    textbox('First name', ui.first, { enter: typeInto.entering({ field: 'first' }) }),
    textbox('Last name', ui.last, { enter: typeInto.entering({ field: 'last' }) }),
    textbox('Mobile', ui.phone, { enter: typeInto.entering({ field: 'phone' }) }),
    combobox('Group', ui.group, { enter: pickGroup.entering({}), options: [...GROUPS] }),
    button('Cancel', setMode.with({ mode: ui.open === '' ? 'list' : 'card' })),
    button('Done', saveContact.with({ id: ui.open, first: ui.first, last: ui.last, phone: ui.phone, group: ui.group })),
  ]),
];
const listOf = (s: State) => {
  const wanted = byName(s.people).filter(
    p =>
      (s.ui.tab === 'Contacts' || (s.ui.tab === 'Favourites' ? p.starred : p.blocked)) &&
      `${full(p)} ${p.phone}`.toLowerCase().includes(s.ui.search.toLowerCase()),
  );
  return [
    heading(s.ui.tab),
    s.ui.tab === 'Contacts' &&
      searchBox('Search', [textbox('Name or number', s.ui.search, { enter: typeInto.entering({ field: 'search' }) })]),
    s.ui.tab === 'Contacts' && button('+', edit.with({ id: '' })),
    list(
      s.ui.tab,
      wanted.map(p => listItem(full(p), [link(full(p), open.with({ id: p.id })), p.group !== 'None' && text(p.group)])),
    ),
    wanted.length === 0 && text('Nobody here'),
  ];
};

const plain = (s: State) => s.people.filter(p => !p.sim);
const newNumber = template('new-number', {
  about: 'Change the number of a contact.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(plain(s));
    return {
      id: p.id,
      name: full(p),
      phone: `07${random.between(100, 999)} ${random.between(100000, 999999)}`,
      way: random.between(0, 3),
    };
  },
  instruction: ({ name, phone, way }) =>
    [
      `${name} has a new mobile: ${phone}`,
      `Update the number for ${name} to ${phone}.`,
      `just got a text from ${name}, "this is my new number ${phone}, the old one is dead". can you put that in my phone?`,
      `Please replace whatever number I have for ${name} with ${phone}. Leave the rest.`,
    ][way]!,
  checks: ({ id, phone }) => [{ name: 'the number is new', test: final => find(final.people, id)?.phone === phone }],
  allow: ({ id }) => [`/people/${id}/phone`],
});
const addPerson = template('add-contact', {
  about: 'Add a contact with a group.',
  split: 'train',
  sample(s, random) {
    const first = random.pick(['Tariq', 'Wanda', 'Sunil', 'Beatrix', 'Ottilie', 'Maggie']);
    const last = random.pick(['Farrow', 'Quill', 'Osei', 'Lindqvist', 'Tanaka', 'Brandt']);
    return {
      first,
      last,
      phone: `07${random.between(100, 999)} ${random.between(100000, 999999)}`,
      group: random.pick(GROUPS.filter(g => g !== 'None')),
      way: random.between(0, 2),
    };
  },
  instruction: ({ first, last, phone, group, way }) =>
    [
      `Save a new contact: ${first} ${last}, ${phone}, group ${group}.`,
      `I met ${first} ${last} today. Number is ${phone}. Could you add them, and file them under ${group}?`,
      `new contact pls - first name ${first}, surname ${last}, mobile ${phone}, goes in ${group}`,
    ][way]!,
  checks: ({ first, last, phone, group }) => [
    {
      name: 'the contact is there',
      test(final, initial) {
        const [p, ...rest] = added(initial.people, final.people);
        return (
          rest.length === 0 &&
          p?.first === first &&
          p.last === last &&
          p.phone === phone &&
          p.group === group &&
          !p.starred &&
          !p.blocked
        );
      },
    },
  ],
  allow: () => ['/people/+'],
});
const dropPerson = template('delete-contact', {
  about: 'Delete a contact.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(plain(s));
    return { id: p.id, name: full(p), way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `Delete ${name} from my contacts.`,
      `I don't need ${name} in my phone any more, get rid of the entry.`,
      `remove contact: ${name}`,
    ][way]!,
  checks: ({ id }) => [{ name: 'the contact is gone', test: final => find(final.people, id) === undefined }],
  allow: ({ id }) => [`/people/${id}`],
});
const starGroup = template('favourite-a-group', {
  about: 'Add everyone of a group to the favourites.',
  split: 'train',
  sample(s, random) {
    const group = random.pick(['Family', 'Neighbours', 'Football', 'School'] as const);
    return { group, ids: random.sample(s.people, random.between(2, 3)).map(p => p.id), way: random.between(0, 2) };
  },
  setup(draft, { group, ids }) {
    for (const p of draft.people) {
      if (ids.includes(p.id)) Object.assign(p, { group, starred: false });
      else if (p.group === group) p.group = 'None';
    }
  },
  instruction: ({ group, way }) =>
    [
      `Everyone in the ${group} group should be a favourite.`,
      `Make favourites of all my ${group} contacts.`,
      `I keep ringing the ${group} lot. Put every one of them among the favourites so that I find them faster.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({
      name: `starred ${at + 1}`,
      test: (final: State) => find(final.people, id)?.starred === true,
    })),
  allow: ({ ids }) => ids.map(id => `/people/${id}/starred`),
});
const birthdayOf = template('birthday-of', {
  about: 'Say the birthday of a contact.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.people);
    return { id: p.id, name: full(p), way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `When is ${name}'s birthday?`,
      `I need to send ${name} a card - what day is the birthday?`,
      `birthday of ${name}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.people, id, 'contact').birthday,
  shown: ({ ui }, { id }) => ui.open === id && ui.mode === 'card',
});
const whoRang = template('whose-number', {
  about: 'Block whoever has a certain number.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.people);
    return { id: p.id, phone: p.phone, way: random.between(0, 2) };
  },
  setup(draft, { id }) {
    need(draft.people, id, 'contact').blocked = false;
  },
  instruction: ({ phone, way }) =>
    [
      `${phone} keeps calling at night. It must be someone in my contacts; block them.`,
      `Block the contact whose number is ${phone}`,
      `Whoever has ${phone}: I don't want calls from there anymore.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'blocked', test: final => find(final.people, id)?.blocked === true }],
  allow: ({ id }) => [`/people/${id}/blocked`],
});
const sameGroup = template('same-group-as', {
  about: 'Put a contact into the group of another one.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(plain(s), 2);
    return {
      a: a!.id,
      b: b!.id,
      name: full(a!),
      other: full(b!),
      group: random.pick(GROUPS.filter(g => g !== 'None')),
      way: random.between(0, 2),
    };
  },
  setup(draft, { a, b, group }) {
    need(draft.people, a, 'contact').group = 'None';
    need(draft.people, b, 'contact').group = group;
  },
  instruction: ({ name, other, way }) =>
    [
      `${name} belongs in the same group as ${other}.`,
      `Put ${name} in whichever group ${other} is in.`,
      `${name} isn't sorted into any group yet. Look where I have ${other} and file ${name} there as well.`,
    ][way]!,
  checks: ({ a, group }) => [{ name: 'the same group', test: final => find(final.people, a)?.group === group }],
  allow: ({ a }) => [`/people/${a}/group`],
});
const simOnly = template('delete-from-sim', {
  about: 'Delete a contact that may be on the read-only SIM card.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ canDelete }) => canDelete,
  sample(s, random) {
    const p = random.pick(s.people);
    return { id: p.id, name: full(p), canDelete: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { id, canDelete }) {
    need(draft.people, id, 'contact').sim = !canDelete;
  },
  instruction: ({ name, way }) =>
    [
      `${name} has moved abroad, take them out of the address book.`,
      `Erase the entry of ${name}, please.`,
      `Get ${name} out of my phone for good!`,
    ][way]!,
  checks: ({ id }) => [{ name: 'the contact is gone', test: final => find(final.people, id) === undefined }],
  allow: ({ id }) => [`/people/${id}`],
  shown: ({ ui }, { id }) => ui.open === id && ui.mode === 'card',
});

const NAMES =
  'Anna Berg,Anna Bergmann,Anton Reyes,Carla Mensah,Carl Mensah,Dev Patel,Devika Patel,Ewan Muir,Grace Oduya,Grace Okafor,Hugo Lamar,Ines Costa,Jonas Webb,Jona Weber,Lotte Visser,Marek Nowak,Maria Nowak,Sam Ito'.split(
    ',',
  );

export const app = defineApp({
  id: 'phone-contacts',
  title: 'Contacts',
  about: 'The contacts of a phone, with favourites, groups and blocked callers.',
  state,
  init: random => ({
    people: random.sample(NAMES, 15).map((name, at) => ({
      id: `c${at + 1}`,
      first: name.split(' ')[0]!,
      last: name.split(' ')[1]!,
      phone: `07${random.between(100, 999)} ${random.between(100000, 999999)}`,
      group: random.pick(GROUPS),
      birthday: `${random.between(1, 28)} ${random.pick(['January', 'April', 'May', 'July', 'September', 'November'])}`,
      starred: random.chance(0.25),
      blocked: random.chance(0.1),
      sim: random.chance(0.2),
    })),
    ui: { tab: 'Contacts', open: '', mode: 'list', search: '', first: '', last: '', phone: '', group: 'None' as const },
  }),
  commands: [saveContact, star, block, erase, lookUp, showTab, open, setMode, edit, typeInto, pickGroup],
  view(s) {
    const p = find(s.people, s.ui.open);
    if (s.ui.mode === 'sure' && p)
      return page('Contacts', [
        dialog('Delete contact?', [
          text(`${full(p)} will be removed from this phone.`),
          button('Keep', setMode.with({ mode: 'card' })),
          button('Delete', erase.with({ id: p.id })),
        ]),
      ]);
    return page('Contacts', [
      region('Screen', s.ui.mode === 'edit' ? formOf(s) : s.ui.mode === 'card' && p ? cardOf(p) : listOf(s)),
      s.ui.mode !== 'edit' &&
        navigation(
          'Tabs',
          ['Favourites', 'Contacts', 'Blocked'].map(name =>
            tab(name, showTab.with({ name }), s.ui.tab === name ? ['selected'] : []),
          ),
        ),
    ]);
  },
  templates: [newNumber, addPerson, dropPerson, starGroup, birthdayOf, whoRang, sameGroup, simOnly],
});
