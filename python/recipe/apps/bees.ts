// Hive log: apiaries, the hives in them, and what was seen at each inspection.
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
  status,
  text,
  textbox,
  z,
} from 'espalier';

const MOODS = ['calm', 'restless', 'stinging'];
const COLOURS: Record<string, string> = {
  '2021': 'white',
  '2022': 'yellow',
  '2023': 'red',
  '2024': 'green',
  '2025': 'blue',
};
const state = z.object({
  sites: z.array(z.object({ id: z.string(), name: z.string(), forage: z.string(), gate: z.string() })),
  hives: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      site: z.string(),
      queen: z.string(),
      supers: z.int(),
      treated: z.boolean(),
    }),
  ),
  checks: z.array(
    z.object({ id: z.string(), hive: z.string(), day: z.string(), mites: z.int(), mood: z.string(), seen: z.string() }),
  ),
  ui: z.object({
    site: z.string(),
    hive: z.string(),
    mode: z.string(),
    entry: z.string(),
    day: z.string(),
    mites: z.string(),
    mood: z.string(),
    seen: z.string(),
    hint: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const one = z.object({ id: z.string() });

const log = command('log_inspection', {
  about: 'Log the inspection of a hive.',
  input: z.object({
    hive: z.string(),
    day: z.string().trim().min(1, 'When?'),
    mites: z.string(),
    mood: z.string().min(1, 'How were they?'),
    seen: z.string().trim(),
  }),
  run(draft, { hive, day, mites, mood, seen }) {
    need(draft.hives, hive, 'hive');
    const count = /^\d{1,3}$/.test(mites) ? Number(mites) : refuse('Count the mites: a whole number.');
    draft.checks.push({ id: nextId(draft.checks, 'c'), hive, day, mites: count, mood, seen });
    Object.assign(draft.ui, { mode: '', hint: 'Logged.' });
  },
});
const strike = command('delete_entry', {
  about: 'Delete an entry of the log.',
  input: one,
  run(draft, { id }) {
    need(draft.checks, id, 'entry');
    remove(draft.checks, id);
    Object.assign(draft.ui, { mode: '', entry: '' });
  },
});
const requeen = command('requeen', {
  about: 'Note the year of the queen of a hive.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!(value in COLOURS)) refuse('Which year?');
    need(draft.hives, id, 'hive').queen = value;
  },
});
const addSuper = command('add_super', {
  about: 'Put a super on a hive.',
  input: one,
  run(draft, { id }) {
    const h = need(draft.hives, id, 'hive');
    if (h.supers === 5) refuse('Five supers are enough for anybody.');
    h.supers += 1;
  },
});
const takeSuper = command('take_super', {
  about: 'Take a super off a hive.',
  input: one,
  run(draft, { id }) {
    const h = need(draft.hives, id, 'hive');
    if (h.supers === 0) refuse('There is none.');
    h.supers -= 1;
  },
});
const treat = command('treat_hive', {
  about: 'Note that a hive is treated against mites.',
  input: one,
  run(draft, { id }) {
    const h = need(draft.hives, id, 'hive');
    if (h.treated) refuse('Treated already.');
    h.treated = true;
    draft.ui.hint = `${h.name} is treated.`;
  },
});
const carry = command('move_hive', {
  about: 'Carry a hive to another apiary.',
  input: z.object({ id: z.string(), site: z.string() }),
  run(draft, { id, site }) {
    need(draft.hives, id, 'hive').site = need(draft.sites, site, 'apiary').id;
    Object.assign(draft.ui, { mode: '', hint: 'Carried. Mind your back.' });
  },
});
const survey = query('read_log', {
  about: 'Read apiaries, hives and the log.',
  input: z.object({}),
  run: s => ({
    sites: s.sites,
    hives: s.hives,
    checks: s.checks.map(c => ({ ...c, hive: find(s.hives, c.hive)?.name })),
  }),
});

const toSite = gesture('to_site', {
  about: 'Go to an apiary, or to all.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { site: id, hive: '', mode: '', hint: '' });
  },
});
const toHive = gesture('to_hive', {
  about: 'Open a hive.',
  input: one,
  run(draft, { id }) {
    Object.assign(draft.ui, { site: need(draft.hives, id, 'hive').site, hive: id, mode: '', hint: '' });
  },
});
const mode = gesture('mode', {
  about: 'Open or close a sheet.',
  input: z.object({ mode: z.string(), entry: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { day: '', mites: '', mood: '', seen: '', hint: '' });
  },
});
const note = gesture('note', {
  about: 'Fill in a field of the inspection.',
  input: z.object({ field: z.enum(['day', 'mites', 'mood', 'seen']), value: z.string().max(80) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const of = (s: State, hive: string) => s.checks.filter(c => c.hive === hive);
function allSites(s: State) {
  return s.sites.map(site =>
    region(site.name, [
      text(`${s.hives.filter(h => h.site === site.id).length} hives, ${site.forage}`),
      link(`Go to ${site.name}`, toSite.with({ id: site.id })),
    ]),
  );
}
function sitePage(s: State) {
  const site = need(s.sites, s.ui.site, 'apiary');
  return [
    heading(site.name),
    text(`Forage: ${site.forage}`),
    text(`Gate code: ${site.gate}`),
    list(
      'Hives here',
      s.hives
        .filter(h => h.site === site.id)
        .map(h =>
          listItem(h.name, [
            link(h.name, toHive.with({ id: h.id })),
            text(`mites last time: ${of(s, h.id).at(-1)?.mites ?? 'never counted'}`),
            text(h.treated ? 'treated' : 'untreated'),
          ]),
        ),
    ),
  ];
}
function hivePage(s: State) {
  const h = need(s.hives, s.ui.hive, 'hive');
  if (s.ui.mode === 'inspect')
    return [
      form(`Inspection of ${h.name}`, [
        textbox('Day', s.ui.day, { enter: note.entering({ field: 'day' }) }),
        textbox('Mites counted', s.ui.mites, { enter: note.entering({ field: 'mites' }) }),
        combobox('Mood', s.ui.mood, { enter: note.entering({ field: 'mood' }), options: MOODS }),
        textbox('Seen', s.ui.seen, { enter: note.entering({ field: 'seen' }) }),
        button('Log it', log.with({ hive: h.id, day: s.ui.day, mites: s.ui.mites, mood: s.ui.mood, seen: s.ui.seen })),
        button('Never mind', mode.with({ mode: '', entry: '' })),
      ]),
    ];
  if (s.ui.mode === 'carry')
    return [
      dialog(`Carry ${h.name} where?`, [
        ...s.sites.filter(x => x.id !== h.site).map(x => button(x.name, carry.with({ id: h.id, site: x.id }))),
        button('Stay here', mode.with({ mode: '', entry: '' })),
      ]),
    ];
  if (s.ui.mode === 'strike')
    return [
      dialog('Tear out this entry?', [
        text(`${h.name}, ${find(s.checks, s.ui.entry)?.day}`),
        button('Tear out', strike.with({ id: s.ui.entry })),
        button('Leave it', mode.with({ mode: '', entry: '' })),
      ]),
    ];
  return [
    heading(h.name),
    combobox('Queen of', h.queen, { enter: requeen.entering({ id: h.id }), options: Object.keys(COLOURS) }),
    text(`marked ${COLOURS[h.queen]}`),
    region('Supers', [
      button('−', takeSuper.with({ id: h.id })),
      status(`${h.supers} on`),
      button('+', addSuper.with({ id: h.id })),
    ]),
    h.treated ? status('Treated against mites') : button('Treated today', treat.with({ id: h.id })),
    button('Inspect', mode.with({ mode: 'inspect', entry: '' })),
    button('Carry elsewhere', mode.with({ mode: 'carry', entry: '' })),
    list(
      'Log',
      of(s, h.id)
        .toReversed()
        .map(c =>
          listItem(c.day, [
            text(`${c.mites} mites, ${c.mood}`),
            text(c.seen),
            button(`Tear out ${c.day}`, mode.with({ mode: 'strike', entry: c.id })),
          ]),
        ),
    ),
  ];
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
const inspect = template('log-inspection', {
  about: 'Log an inspection.',
  split: 'train',
  sample(s, random) {
    const h = random.pick(s.hives);
    return {
      hive: h.id,
      name: h.name,
      day: random.pick(['2 July', '5 July', '9 July']),
      mites: String(random.between(0, 40)),
      mood: random.pick(MOODS),
      seen: random.pick(['eggs and larvae', 'two queen cells', 'hardly any stores', 'new comb']),
    };
  },
  instruction: ({ name, day, mites, mood, seen }) =>
    say(
      name + day,
      `Looked into ${name} on ${day}: ${mites} mites, ${mood}, ${seen}. Log it.`,
      `log for ${name}. day: ${day}. mites: ${mites}. mood: ${mood}. seen: ${seen}`,
    ),
  checks: ({ hive, day, mites, mood, seen }) => [
    {
      name: 'the inspection is logged',
      test(final, initial) {
        const [c, ...rest] = added(initial.checks, final.checks);
        return (
          rest.length === 0 &&
          c?.hive === hive &&
          c.day === day &&
          c.mites === Number(mites) &&
          c.mood === mood &&
          c.seen === seen
        );
      },
    },
  ],
  allow: () => ['/checks/+'],
});
const queen = template('new-queen', {
  about: 'Note a new queen.',
  split: 'train',
  sample(s, random) {
    const h = random.pick(s.hives);
    return { id: h.id, name: h.name, queen: random.pick(Object.keys(COLOURS).filter(y => y !== h.queen)) };
  },
  instruction: ({ name, queen }) =>
    say(
      name + queen,
      `${name} has a ${queen} queen now`,
      `I found the queen in ${name}, and she has a ${COLOURS[queen]} dot, so she must be of ${queen}. Correct it please.`,
    ),
  checks: ({ id, queen }) => [{ name: `queen of ${queen}`, test: final => find(final.hives, id)?.queen === queen }],
  allow: ({ id }) => [`/hives/${id}/queen`],
});
const supers = template('two-supers', {
  about: 'Put supers on a hive.',
  split: 'train',
  sample(s, random) {
    const h = random.pick(s.hives.filter(h => h.supers < 4));
    const by = random.between(1, 2);
    return { id: h.id, name: h.name, by, supers: h.supers + by };
  },
  instruction: ({ name, by, supers }) =>
    say(
      name,
      `${name} needs room: I put ${by === 1 ? 'another super' : 'two more supers'} on.`,
      `${name} has ${supers} supers now.`,
    ),
  checks: ({ id, supers }) => [{ name: `${supers} supers`, test: final => find(final.hives, id)?.supers === supers }],
  allow: ({ id }) => [`/hives/${id}/supers`],
});
const worst = template('treat-the-worst', {
  about: 'Treat the hive of an apiary with most mites.',
  split: 'train',
  sample(s, random) {
    const last = (hive: string) => of(s, hive).at(-1)?.mites ?? -1;
    const fits = s.sites.flatMap(site => {
      const [a, b] = s.hives.filter(h => h.site === site.id).toSorted((x, y) => last(y.id) - last(x.id));
      return a && b && last(a.id) > last(b.id) ? [{ id: a.id, site: site.name }] : [];
    });
    return fits.length === 0 ? null : random.pick(fits);
  },
  setup(draft, { id }) {
    need(draft.hives, id, 'hive').treated = false;
  },
  instruction: ({ site }) =>
    `At ${site}, I treated the hive that had the most mites at the last count. Note that it was treated.`,
  checks: ({ id }) => [{ name: 'treated', test: final => find(final.hives, id)?.treated === true }],
  allow: ({ id }) => [`/hives/${id}/treated`],
});
const gate = template('gate-code', {
  about: 'Say the gate code where a hive stands.',
  split: 'train',
  sample(s, random) {
    const h = random.pick(s.hives);
    return { name: h.name, site: h.site };
  },
  instruction: ({ name }) =>
    say(name, `I'm off to see ${name}. What's the gate code there?`, `gate code for wherever ${name} is standing`),
  checks: () => [],
  allow: () => [],
  answer: ({ site }, s) => need(s.sites, site, 'apiary').gate,
  shown: ({ ui }, { site }) => ui.site === site && ui.hive === '',
});
const carryIt = template('carry-hive', {
  about: 'Carry a hive to the apiary with some forage.',
  split: 'train',
  sample(s, random) {
    const h = random.pick(s.hives);
    const to = random.pick(s.sites.filter(x => x.id !== h.site));
    return { id: h.id, name: h.name, to: to.id, forage: to.forage };
  },
  instruction: ({ name, forage }) => `${name} goes to where the ${forage} is. Move it there in the log.`,
  checks: ({ id, to }) => [{ name: 'the hive has moved', test: final => find(final.hives, id)?.site === to }],
  allow: ({ id }) => [`/hives/${id}/site`],
});

export const app = defineApp({
  id: 'hive-log',
  title: 'Hive log',
  about: 'The log of a beekeeper: apiaries, hives and inspections.',
  state,
  init(random) {
    const sites = random
      .sample(['Mill Lane', 'Old Quarry', 'Vicarage', 'Top Field', 'Canal', 'Orchard'], 4)
      .map((name, at) => ({
        id: `s${at + 1}`,
        name,
        forage: ['heather', 'lime trees', 'rape', 'clover'][at]!,
        gate: String(random.between(1000, 9999)),
      }));
    const hives = random
      .sample(
        [
          'Boudica',
          'Cleo',
          'Victoria',
          'Sheba',
          'Matilda',
          'Zenobia',
          'Titania',
          'Isabella',
          'Nefertiti',
          'Beatrix',
          'Latifah',
          'Theodora',
          'Wilhelmina',
        ],
        12,
      )
      .map((name, at) => ({
        id: `h${at + 1}`,
        name,
        site: sites[at < 8 ? at % 4 : random.between(0, 3)]!.id,
        queen: random.pick(Object.keys(COLOURS)),
        supers: random.between(0, 4),
        treated: random.chance(0.3),
      }));
    const checks = ['12 May', '3 June', '20 June']
      .flatMap(day =>
        hives
          .filter(() => random.chance(0.85))
          .map(h => ({
            hive: h.id,
            day,
            mites: random.between(0, 45),
            mood: random.pick(MOODS),
            seen: random.pick(['eggs', 'brood on six frames', 'queen seen', 'chalk brood', 'full super']),
          })),
      )
      .map((c, at) => ({ id: `c${at + 1}`, ...c }));
    return {
      sites,
      hives,
      checks,
      ui: { site: '', hive: '', mode: '', entry: '', day: '', mites: '', mood: '', seen: '', hint: '' },
    };
  },
  commands: [log, strike, requeen, addSuper, takeSuper, treat, carry, survey, toSite, toHive, mode, note],
  view(s) {
    const site = find(s.sites, s.ui.site);
    const hive = find(s.hives, s.ui.hive);
    return page('Hive log', [
      s.ui.mode === '' &&
        navigation(
          'You are here',
          [
            link('All apiaries', toSite.with({ id: '' })),
            site && link(`› ${find(s.sites, hive?.site ?? site.id)?.name}`, toSite.with({ id: hive?.site ?? site.id })),
            hive && text(`› ${hive.name}`),
          ].map(it => it ?? false),
        ),
      s.ui.hint !== '' && status(s.ui.hint),
      ...(hive ? hivePage(s) : site ? sitePage(s) : allSites(s)),
    ]);
  },
  templates: [inspect, queen, supers, worst, gate, carryIt],
  onRefusal(draft, message) {
    draft.ui.hint = message;
  },
});
