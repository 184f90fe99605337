// A puzzle club: shelves of puzzles, a record page for each, a league table of members, and a form to log a solve.
import { added, appKit, button, cell, checkbox, combobox, defineApp, find, form, heading, link, list } from 'espalier';
import {
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const levels = ['mild', 'tricky', 'fiendish'] as const;
const puzzle = z.object({
  id: z.string(),
  name: z.string(),
  level: z.enum(levels),
  maker: z.string(),
  wished: z.boolean(),
});
const solve = z.object({ id: z.string(), puzzle: z.string(), member: z.string(), minutes: z.int() });
const state = z.object({
  puzzles: z.array(puzzle),
  solves: z.array(solve),
  ui: z.object({
    level: z.string(),
    open: z.string(),
    logging: z.boolean(),
    member: z.string(),
    minutes: z.string(),
    tip: z.string(),
  }),
});
type Club = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const idle = { open: '', logging: false, member: '', minutes: '', tip: '' };

const wish = command('wish_for', {
  about: 'Put a puzzle on the wish list of the next evening, or take it off.',
  input: z.object({ id: z.string(), wished: z.boolean() }),
  run: (draft, { id, wished }) => void Object.assign(need(draft.puzzles, id, 'puzzle'), { wished }),
});
const relevel = command('change_level', {
  about: 'Change the level of a puzzle.',
  input: z.object({ id: z.string(), value: z.enum(levels) }),
  run: (draft, { id, value }) => void Object.assign(need(draft.puzzles, id, 'puzzle'), { level: value }),
});
const logSolve = command('log_solve', {
  about: 'Log that a member has solved a puzzle.',
  input: z.object({ puzzle: z.string(), member: z.string(), minutes: z.string() }),
  run(draft, { puzzle: id, member, minutes }) {
    if (member === '' || !/^\d{1,3}$/.test(minutes)) refuse('Who, and how many minutes?');
    draft.solves.push({ id: nextId(draft.solves, 't'), puzzle: id, member, minutes: Number(minutes) });
    Object.assign(draft.ui, { logging: false, member: '', minutes: '', tip: 'Logged. Well done!' });
  },
});
const erase = command('erase_solve', {
  about: 'Erase a solve from the records.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void remove(draft.solves, id),
});
const records = query('list_records', { about: 'List the solves.', input: z.object({}), run: ({ solves }) => solves });
const shelf = gesture('pick_shelf', {
  about: 'Show a shelf, or the league.',
  input: z.object({ level: z.string() }),
  run: (draft, { level }) => void Object.assign(draft.ui, idle, { level }),
});
const open = gesture('open_puzzle', {
  about: 'Open the record page of a puzzle.',
  input: z.object({ open: z.string(), logging: z.boolean() }),
  run: (draft, input) => void Object.assign(draft.ui, idle, input),
});
const enter = gesture('enter', {
  about: 'Fill the log form in.',
  input: z.object({ field: z.enum(['member', 'minutes']), value: z.string().max(20) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const boxes = ({ puzzles, ui }: Club) => {
  const here = puzzles.filter(({ level }) => level === ui.level);
  return list(
    `${ui.level} puzzles`,
    here.map(({ id, name, wished }) =>
      listItem(name, [
        button(`Open ${name}`, open.with({ open: id, logging: false })),
        checkbox(`Bring ${name} next time`, wished, wish.with({ id, wished: !wished })),
      ]),
    ),
  );
};
const league = ({ solves }: Club) =>
  table(
    'League',
    members.map(name => {
      const mine = solves.filter(({ member }) => member === name);
      return row(name, [
        cell(name),
        cell(`${mine.length} solved`),
        cell(`${mine.reduce((sum, it) => sum + it.minutes, 0)} min`),
      ]);
    }),
  );
const sheet = ({ solves, ui }: Club, { id, name, level, maker }: z.infer<typeof puzzle>) =>
  region('Record page', [
    heading(name),
    text(`made by ${maker}`),
    combobox('Level', level, { enter: relevel.entering({ id }), options: [...levels] }),
    table(
      'Times',
      solves
        .filter(it => it.puzzle === id)
        .map(({ id: at, member, minutes }) =>
          row(member, [
            cell(member),
            cell(`${minutes} min`),
            button(`Erase ${member} ${minutes}`, erase.with({ id: at })),
          ]),
        ),
    ),
    !ui.logging && button('Log a solve', open.with({ open: id, logging: true })),
    ui.logging &&
      form('New time', [
        combobox('Solved by', ui.member, { enter: enter.entering({ field: 'member' }), options: members }),
        textbox('Minutes', ui.minutes, { enter: enter.entering({ field: 'minutes' }) }),
        button('Enter in the book', logSolve.with({ puzzle: id, member: ui.member, minutes: ui.minutes })),
        button('Not now', open.with({ open: id, logging: false })),
      ]),
    link('Back to the shelf', open.with({ open: '', logging: false })),
  ]);

const members = 'Aurel|Bettina|Caspar|Dunja|Emil|Frida|Gaspard'.split('|');
const makers = 'Hollow Oak|Tangle & Co|Professor Wirr|Kawai Works|Studio Knoten|Uncle Zog|Lumen Games'.split('|');
const adjectives = 'Silver|Crooked|Nested|Twin|Endless|Magnetic|Hungry|Wooden'.split('|');
const nouns = 'Labyrinth|Cube|Burr|Padlock|Snake|Lantern'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const logOne = template('log-solve', {
  about: 'Log a solve of a puzzle by a member.',
  split: 'train',
  sample({ puzzles }, random) {
    const { id, name, level } = random.pick(puzzles);
    return {
      id,
      name,
      level,
      member: random.pick(members),
      minutes: String(random.between(91, 240)),
      turn: random.between(0, 5),
    };
  },
  instruction: ({ name, level, member, minutes, turn }) =>
    say(
      turn,
      `Log a solve: ${name} (${level}), ${member}, ${minutes} minutes.`,
      `${member} finally cracked the ${name}! Took ${minutes} minutes. It's on the ${level} shelf, put it in the book.`,
      `Please enter ${minutes} min for ${member} at the ${level} puzzle ${name}.`,
      `${name} / ${member} / ${minutes} (look under ${level})`,
      `${minutes} minutes is what ${member} needed for the ${name}, one of the ${level} ones. Record it.`,
      `Could you write down that the ${name} from the ${level} shelf was solved by ${member} in ${minutes} minutes?`,
    ),
  checks: ({ id, member, minutes }) => [
    {
      name: 'one such solve is logged',
      test(end, start) {
        const [made, ...more] = added(start.solves, end.solves);
        return more.length === 0 && made?.puzzle === id && made.member === member && made.minutes === Number(minutes);
      },
    },
  ],
  allow: () => ['/solves/+'],
});

const best = template('fastest-time', {
  about: 'Say the fastest time for a puzzle.',
  split: 'train',
  sample({ puzzles, solves }, random) {
    const { id, name, level } = random.pick(puzzles.filter(it => solves.some(solved => solved.puzzle === it.id)));
    return { id, name, level, turn: random.between(0, 5) };
  },
  instruction: ({ name, level, turn }) =>
    say(
      turn,
      `What is the fastest time for the ${name} (${level})? In minutes.`,
      `${name}, ${level} shelf: record in minutes?`,
      `I want to beat the record at the ${name}. It's a ${level} one. How many minutes do I have to stay under?`,
      `How quickly has anyone solved the ${level} puzzle ${name}? Just the minutes.`,
      `Please look into the book: best time of the ${name}, which is ${level}.`,
      `Someone claims to hold the record for the ${name} (${level}). What is the shortest time written there?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { solves }) => String(Math.min(...solves.filter(it => it.puzzle === id).map(it => it.minutes))),
  shown: ({ ui }, { id }) => ui.open === id,
});

const slowest = template('erase-slowest', {
  about: 'Erase the slowest time of a puzzle.',
  split: 'train',
  sample({ puzzles, solves }, random) {
    const { id: of, name, level } = random.pick(puzzles);
    const [slow, next] = solves.filter(it => it.puzzle === of).sort((a, b) => b.minutes - a.minutes);
    if (slow === undefined || next === undefined || slow.minutes === next.minutes) return null;
    return { id: slow.id, name, level, turn: random.between(0, 5) };
  },
  instruction: ({ name, level, turn }) =>
    say(
      turn,
      `Erase the slowest time of the ${name} (${level}).`,
      `The longest time at the ${name}, ${level} shelf, was a typing mistake. Take it out of the book.`,
      `${level}, ${name}: remove worst time`,
      `Somebody fell asleep over the ${name} (${level}), which is why there is such a long time. Please delete that entry.`,
      `Would you strike the highest number of minutes from the page of the ${level} puzzle ${name}?`,
      `Only decent times should stay for the ${name}, a ${level} one, so erase whoever took longest.`,
    ),
  checks: ({ id }) => [{ name: 'the slowest time is gone', test: end => find(end.solves, id) === undefined }],
  allow: ({ id }) => [`/solves/${id}`],
});

const regrade = template('regrade-and-bring', {
  about: 'Change the level of one puzzle and bring another next time.',
  split: 'train',
  sample({ puzzles }, random) {
    const [one, two] = random.sample(
      puzzles.filter(({ wished }) => !wished),
      2,
    );
    if (one === undefined || two === undefined) return null;
    const to = random.pick(levels.filter(it => it !== one.level));
    return {
      one: one.id,
      a: one.name,
      from: one.level,
      to,
      two: two.id,
      b: two.name,
      on: two.level,
      turn: random.between(0, 5),
    };
  },
  instruction: ({ a, from, to, b, on, turn }) =>
    say(
      turn,
      `Change the ${a} from ${from} to ${to}, and tick that we bring the ${b} (${on}) next time.`,
      `We should bring the ${b} next time, it's ${on}. And the ${a} is not ${from} at all, it's ${to}.`,
      `${a}: ${from} -> ${to}. ${b} (${on}): bring.`,
      `Everyone agreed the ${a} is ${to} rather than ${from}. They also want to play with the ${b} (${on} shelf) next time.`,
      `Please regrade the ${a} (${from}) as ${to}. Then mark the ${on} puzzle ${b} to be brought along next time.`,
      `For the next evening I want the ${b} from the ${on} shelf. Oh, and put the ${a} under ${to} instead of ${from}.`,
    ),
  checks: ({ one, to, two }) => [
    { name: `the level is ${to}`, test: end => find(end.puzzles, one)?.level === to },
    { name: 'the other will be brought', test: end => find(end.puzzles, two)?.wished === true },
  ],
  allow: ({ one, two }) => [`/puzzles/${one}/level`, `/puzzles/${two}/wished`],
});

export const app = defineApp({
  id: 'puzzle-club',
  title: 'Puzzle club',
  about: 'The puzzles of a club and who solved them how fast.',
  state,
  init(random) {
    const names = random.sample(
      adjectives.flatMap(a => nouns.map(b => `${a} ${b}`)),
      14,
    );
    const puzzles = names.map((name, at) => ({
      id: `z${at + 1}`,
      name,
      level: random.pick(levels),
      maker: random.pick(makers),
      wished: random.chance(0.2),
    }));
    const solved = puzzles.flatMap(({ id }) =>
      random.sample(members, random.between(0, 4)).map(member => ({ puzzle: id, member })),
    );
    const solves = solved.map((it, at) => ({ id: `t${at + 1}`, ...it, minutes: random.between(4, 90) }));
    return { puzzles, solves, ui: { level: 'mild', ...idle } };
  },
  commands: [wish, relevel, logSolve, erase, records, shelf, open, enter],
  view(it) {
    const opened = find(it.puzzles, it.ui.open);
    return page('Puzzle club', [
      toolbar(
        'Shelves',
        [...levels, 'league'].map(at => tab(at, shelf.with({ level: at }), at === it.ui.level ? ['selected'] : [])),
      ),
      it.ui.tip !== '' && status(it.ui.tip),
      opened !== undefined ? sheet(it, opened) : it.ui.level === 'league' ? league(it) : boxes(it),
    ]);
  },
  templates: [logOne, best, slowest, regrade],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { tip: message }),
});
