/** A small app that works, for users to change. */
export function appSkeleton(name: string): string {
  const words = name.replaceAll('-', ' ');
  const title = words.slice(0, 1).toUpperCase() + words.slice(1);
  return source.replaceAll('$NAME', name).replaceAll('$TITLE', title);
}

const source = `// $TITLE: an app of your own. From this one definition come sessions, tools, tasks and verifiers.
//
//   espalier check ./$NAME.ts     does it obey the laws, are its tasks sound?
//   espalier play ./$NAME.ts      do a task yourself
//   espalier plan ./$NAME.ts      let the planner do it
import { added, appKit, button, defineApp, find, form, list, listItem, need, nextId } from 'espalier';
import { page, refuse, status, text, textbox, z } from 'espalier';

// 1. The state: everything there is, as JSON. \`ui\` holds what is open or typed, the rest is data.
//    Records with an id in an array make a table: paths name them by id, such as /items/i3/done.
const item = z.object({ id: z.string(), title: z.string(), done: z.boolean() });
const state = z.object({
  items: z.array(item),
  ui: z.object({ draft: z.string(), notice: z.string() }),
});

const { command, gesture, query, template } = appKit(state);

// 2. Commands change a draft of the state. Agents may call them as tools, the view dispatches them.
const addItem = command('add_item', {
  about: 'Add an item to the list.',
  input: z.object({ title: z.string().trim().min(1, 'type a title first').max(80) }),
  run(draft, { title }) {
    if (draft.items.some(known => known.title === title)) refuse(\`"\${title}" is on the list already.\`);
    draft.items.push({ id: nextId(draft.items, 'i'), title, done: false });
    Object.assign(draft.ui, { draft: '', notice: \`Added "\${title}".\` });
  },
});

const completeItem = command('complete_item', {
  about: 'Mark an item as done.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const completed = need(draft.items, id, 'item');
    completed.done = true;
    draft.ui.notice = \`Done: "\${completed.title}".\`;
  },
});

// Queries read the state, for agents that call tools.
const listItems = query('list_items', {
  about: 'List the items that contain a text.',
  input: z.object({ text: z.string() }),
  run: ({ items }, input) => items.filter(({ title }) => title.includes(input.text)),
});

// Gestures belong to the view alone: typing, opening, turning a page.
const typeTitle = gesture('type_title', {
  about: 'Type the title of a new item.',
  input: z.object({ value: z.string().max(80) }),
  run(draft, { value }) {
    draft.ui.draft = value;
  },
});

// 3. Templates make tasks by seed: what to do, when it is done, and what may change on the way.
const complete = template('complete-items', {
  about: 'Mark two named items as done.',
  split: 'train',
  sample: ({ items }, random) => ({ wanted: random.sample(items, 2).map(({ id, title }) => ({ id, title })) }),
  // Makes sure that there is something to do, whatever the seed.
  setup(draft, { wanted }) {
    for (const { id } of wanted) need(draft.items, id, 'item').done = false;
  },
  instruction: ({ wanted }) => \`Mark as done: \${wanted.map(({ title }) => \`"\${title}"\`).join(' and ')}.\`,
  checks: ({ wanted }) =>
    wanted.map(({ id, title }) => ({
      name: \`"\${title}" is done\`,
      test: final => find(final.items, id)?.done === true,
    })),
  allow: ({ wanted }) => wanted.map(({ id }) => \`/items/\${id}/done\`),
});

const add = template('add-item', {
  about: 'Add an item with a given title.',
  split: 'test',
  sample: (_, random) => ({ title: \`\${random.pick(['Order', 'Return', 'Mend'])} the \${random.pick(things)} covers\` }),
  instruction: ({ title }) => \`Add "\${title}" to the list.\`,
  checks: ({ title }) => [
    {
      name: \`one item was added: "\${title}", to be done\`,
      test(final, initial) {
        const [made, ...more] = added(initial.items, final.items);
        return made?.title === title && !made.done && more.length === 0;
      },
    },
  ],
  // A plus stands for a new record.
  allow: () => ['/items/+'],
});

const things = ['chair', 'table', 'lamp', 'shelf', 'carpet'];
const titles = ['Paint', 'Clean', 'Move', 'Sell'].flatMap(verb => things.map(thing => \`\${verb} the \${thing}\`));

// 4. The app: data by seed, and a view of the state as elements of a screen.
export const app = defineApp({
  id: '$NAME',
  title: '$TITLE',
  about: 'A list of things to do.',
  state,
  init: random => ({
    items: random.sample(titles, 12).map((title, index) => ({
      id: \`i\${index + 1}\`,
      title,
      done: random.chance(0.3),
    })),
    ui: { draft: '', notice: '' },
  }),
  commands: [addItem, completeItem, listItems, typeTitle],
  view: ({ items, ui }) =>
    page('$TITLE', [
      ui.notice !== '' && status(ui.notice),
      form('New item', [
        textbox('Title', ui.draft, { enter: typeTitle.entering({}) }),
        button('Add', addItem.with({ title: ui.draft })),
      ]),
      list(
        \`\${items.length} items\`,
        items.map(({ id, title, done }) =>
          listItem(title, [done ? text('done') : button(\`Complete \${title}\`, completeItem.with({ id }))]),
        ),
        // The order means nothing, so variations may change it: a recorded script does not pass on them.
        { shuffle: true },
      ),
    ]),
  templates: [complete, add],
  // Someone at the screen is told why something was refused.
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
`;
