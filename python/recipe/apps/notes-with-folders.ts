// Quire. Notes in folders in folders. The tree is on the left and unfolds; a note is edited where it is shown.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  find,
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
  searchBox,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const LABELS = ['none', 'red', 'amber', 'green', 'violet'] as const;
const Folder = z.object({ id: z.string(), name: z.string(), parent: z.string(), viewOnly: z.boolean() });
const Note = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  folder: z.string(),
  label: z.enum(LABELS),
  onTop: z.boolean(),
  deleted: z.boolean(),
});
const state = z.object({
  folders: z.array(Folder),
  notes: z.array(Note),
  ui: z.object({
    open: z.array(z.string()),
    folder: z.string(),
    note: z.string(),
    needle: z.string(),
    title: z.string(),
    body: z.string(),
    renaming: z.boolean(),
    folderName: z.string(),
    justDeleted: z.string(),
  }),
});
type Quire = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const DELETED = 'deleted';
const needFolder = (q: Quire, id: string) => need(q.folders, id, 'folder');

const saveNote = command('save_note', {
  about: 'Save the title and text of a note.',
  input: z.object({ note: z.string(), title: z.string(), body: z.string() }),
  run(q, { note, title, body }) {
    if (title.trim() === '') refuse('A note needs a title.');
    Object.assign(need(q.notes, note, 'note'), { title, body });
  },
});
const addNote = command('add_note', {
  about: 'Add a note called Untitled to a folder.',
  input: z.object({ folder: z.string(), title: z.string() }),
  run(q, { folder, title }) {
    if (needFolder(q, folder).viewOnly) refuse('You may only look at this folder.');
    if (title.trim() === '') refuse('Write the title first.');
    q.notes.push({ id: nextId(q.notes, 'n'), title, body: '', folder, label: 'none', onTop: false, deleted: false });
    q.ui.title = '';
  },
});
const moveNote = command('move_note', {
  about: 'Move a note to a folder, given by name.',
  input: z.object({ note: z.string(), value: z.string() }),
  run(q, { note, value }) {
    const f = q.folders.find(x => x.name === value) ?? refuse('There is no such folder.');
    if (f.viewOnly) refuse('You may only look at this folder.');
    need(q.notes, note, 'note').folder = f.id;
  },
});
const labelNote = command('label_note', {
  about: 'Give a note a coloured label.',
  input: z.object({ note: z.string(), value: z.enum(LABELS) }),
  run(q, { note, value }) {
    need(q.notes, note, 'note').label = value;
  },
});
const keepOnTop = command('keep_on_top', {
  about: 'Keep a note on top of its folder, or let it go.',
  input: z.object({ note: z.string() }),
  run(q, { note }) {
    const n = need(q.notes, note, 'note');
    n.onTop = !n.onTop;
  },
});
const deleteNote = command('delete_note', {
  about: 'Delete a note. It can be had back.',
  input: z.object({ note: z.string() }),
  run(q, { note }) {
    need(q.notes, note, 'note').deleted = true;
    Object.assign(q.ui, { note: '', justDeleted: note });
  },
});
const undelete = command('undelete_note', {
  about: 'Have a deleted note back.',
  input: z.object({ note: z.string() }),
  run(q, { note }) {
    const n = need(q.notes, note, 'note');
    if (!n.deleted) refuse('It is not deleted.');
    n.deleted = false;
    q.ui.justDeleted = '';
  },
});
const renameFolder = command('rename_folder', {
  about: 'Rename a folder.',
  input: z.object({ folder: z.string(), name: z.string() }),
  run(q, { folder, name }) {
    if (name.trim() === '' || q.folders.some(f => f.name === name)) refuse('Choose another name.');
    needFolder(q, folder).name = name;
    q.ui.renaming = false;
  },
});
const everything = query('everything', {
  about: 'All folders and notes.',
  input: z.object({}),
  run: q => ({
    folders: q.folders.map(f => ({ ...f, inside: find(q.folders, f.parent)?.name ?? '' })),
    notes: q.notes.map(n => ({ ...n, folderName: find(q.folders, n.folder)?.name ?? '' })),
  }),
});

const unfold = gesture('unfold', {
  about: 'Unfold or fold a branch of the tree.',
  input: z.object({ folder: z.string() }),
  run(q, { folder }) {
    q.ui.open = q.ui.open.includes(folder) ? q.ui.open.filter(x => x !== folder) : [...q.ui.open, folder].toSorted();
  },
});
const show = gesture('show_folder', {
  about: 'Show the notes of a folder.',
  input: z.object({ folder: z.string() }),
  run(q, { folder }) {
    Object.assign(q.ui, { folder, note: '', needle: '', title: '', renaming: false, justDeleted: '' });
  },
});
const read = gesture('read_note', {
  about: 'Open a note.',
  input: z.object({ note: z.string() }),
  run(q, { note }) {
    const { title, body, folder } = need(q.notes, note, 'note');
    Object.assign(q.ui, { note, title, body, folder, renaming: false, justDeleted: '' });
  },
});
const put = gesture('put', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['needle', 'title', 'body', 'folderName']), value: z.string().max(200) }),
  run(q, { field, value }) {
    q.ui[field] = value;
  },
});
const startRename = gesture('start_rename', {
  about: 'Start to rename the folder.',
  input: z.object({}),
  run(q) {
    Object.assign(q.ui, { renaming: !q.ui.renaming, folderName: find(q.folders, q.ui.folder)?.name ?? '' });
  },
});

type Node = ReturnType<typeof text>;
const branch = (q: Quire, parent: string): Node[] =>
  q.folders
    .filter(f => f.parent === parent)
    .map(f => {
      const below = q.folders.some(x => x.parent === f.id);
      const isOpen = q.ui.open.includes(f.id);
      return listItem(f.name, [
        below &&
          button(
            isOpen ? `▾ fold ${f.name}` : `▸ unfold ${f.name}`,
            unfold.with({ folder: f.id }),
            isOpen ? ['expanded'] : [],
          ),
        link(f.name, show.with({ folder: f.id }), q.ui.folder === f.id ? ['selected'] : []),
        below && isOpen && list(`Inside ${f.name}`, branch(q, f.id)),
      ]);
    });
const notesIn = (q: Quire) => {
  const needle = q.ui.needle.toLowerCase();
  if (needle !== '') return q.notes.filter(n => !n.deleted && `${n.title} ${n.body}`.toLowerCase().includes(needle));
  if (q.ui.folder === DELETED) return q.notes.filter(n => n.deleted);
  return q.notes
    .filter(n => !n.deleted && n.folder === q.ui.folder)
    .toSorted((a, b) => Number(b.onTop) - Number(a.onTop));
};
const middle = (q: Quire) => {
  const f = find(q.folders, q.ui.folder);
  return region('Notes', [
    heading(
      q.ui.needle !== '' ? 'Found' : (f?.name ?? (q.ui.folder === DELETED ? 'Deleted notes' : 'Choose a folder')),
    ),
    f?.viewOnly === true && text('Shared with you by Petra. You may look, but not add or change anything here.'),
    f !== undefined && !f.viewOnly && !q.ui.renaming && button('Rename this folder', startRename.with({})),
    f !== undefined &&
      q.ui.renaming &&
      textbox('Folder name', q.ui.folderName, { enter: put.entering({ field: 'folderName' }) }),
    f !== undefined && q.ui.renaming && button('OK', renameFolder.with({ folder: f.id, name: q.ui.folderName })),
    list(
      `${notesIn(q).length} notes`,
      notesIn(q).map(n =>
        q.ui.folder === DELETED && q.ui.needle === ''
          ? listItem(n.title, [text(n.title), button(`Have back: ${n.title}`, undelete.with({ note: n.id }))])
          : listItem(n.title, [
              link(n.title, read.with({ note: n.id })),
              n.label !== 'none' && text(`● ${n.label}`),
              n.onTop && text('on top'),
            ]),
      ),
    ),
    f !== undefined &&
      !f.viewOnly &&
      q.ui.note === '' &&
      textbox('Title of a new note', q.ui.title, { enter: put.entering({ field: 'title' }) }),
    f !== undefined &&
      !f.viewOnly &&
      q.ui.note === '' &&
      button('Add note here', addNote.with({ folder: f.id, title: q.ui.title })),
    q.ui.justDeleted !== '' && button('Undo delete', undelete.with({ note: q.ui.justDeleted })),
  ]);
};
const sheet = (q: Quire) => {
  const n = need(q.notes, q.ui.note, 'note');
  const isMine = !(find(q.folders, n.folder)?.viewOnly ?? false);
  if (!isMine) return region('Note', [heading(n.title), text(n.body)]);
  return region('Note', [
    textbox('Title', q.ui.title, { enter: put.entering({ field: 'title' }) }),
    textbox('Text', q.ui.body, { enter: put.entering({ field: 'body' }) }),
    (q.ui.title !== n.title || q.ui.body !== n.body) &&
      button('Save the note', saveNote.with({ note: n.id, title: q.ui.title, body: q.ui.body })),
    toolbar('About this note', [
      combobox('Label colour', n.label, { enter: labelNote.entering({ note: n.id }), options: [...LABELS] }),
      combobox('Lies in folder', find(q.folders, n.folder)?.name ?? '', {
        enter: moveNote.entering({ note: n.id }),
        options: q.folders.filter(f => !f.viewOnly).map(f => f.name),
      }),
      button(n.onTop ? 'Do not keep on top' : 'Keep on top', keepOnTop.with({ note: n.id })),
      button('Delete', deleteNote.with({ note: n.id })),
    ]),
  ]);
};

const mine = (q: Quire) => q.notes.filter(n => !n.deleted && !needFolder(q, n.folder).viewOnly);
const retitle = template('rename-folder', {
  about: 'Rename a folder.',
  split: 'train',
  sample(q, random) {
    const f = random.pick(q.folders.filter(x => !x.viewOnly));
    return {
      id: f.id,
      old: f.name,
      name: random.pick(['Attic', 'Someday', 'Paperwork', 'Side projects', 'Big plans', 'Scraps']),
      way: random.between(0, 2),
    };
  },
  instruction: ({ old, name, way }) =>
    [
      `Rename the folder ${old} to ${name}.`,
      `I'd rather have the ${old} folder called "${name}".`,
      `folder "${old}" => "${name}"`,
    ][way]!,
  checks: ({ id, name }) => [{ name: 'renamed', test: final => find(final.folders, id)?.name === name }],
  allow: ({ id }) => [`/folders/${id}/name`],
});
const refile = template('refile-note', {
  about: 'Move a note to another folder.',
  split: 'train',
  sample(q, random) {
    const n = random.pick(mine(q));
    const f = random.pick(q.folders.filter(x => !x.viewOnly && x.id !== n.folder));
    return { id: n.id, title: n.title, to: f.id, name: f.name, way: random.between(0, 2) };
  },
  instruction: ({ title, name, way }) =>
    [
      `"${title}" is in the wrong place, it should lie in ${name}.`,
      `Move ${title} to the folder ${name}`,
      `I always look for "${title}" under ${name}. Please keep it there.`,
    ][way]!,
  checks: ({ id, to }) => [{ name: 'moved', test: final => find(final.notes, id)?.folder === to }],
  allow: ({ id }) => [`/notes/${id}/folder`],
});
const jot = template('jot-down', {
  about: 'Add a note to a folder.',
  split: 'train',
  sample(q, random) {
    const f = random.pick(q.folders.filter(x => !x.viewOnly));
    const title = `${random.pick(['Call', 'Ask', 'Thank', 'Visit', 'Pay'])} ${random.pick(['the roofer', 'Aunt May', 'the vet', 'Mr Okoro', 'the library'])}`;
    return { folder: f.id, name: f.name, title, way: random.between(0, 2) };
  },
  instruction: ({ name, title, way }) =>
    [
      `Add a note "${title}" to ${name}.`,
      `Jot down: ${title}. It goes in the ${name} folder, the title is enough.`,
      `in ${name} i need a new note titled "${title}", leave it empty`,
    ][way]!,
  checks: ({ folder, title }) => [
    {
      name: 'the note is there',
      test(final, initial) {
        const [n, ...rest] = added(initial.notes, final.notes);
        return (
          rest.length === 0 &&
          n?.title === title &&
          n.folder === folder &&
          n.body === '' &&
          n.label === 'none' &&
          !n.onTop &&
          !n.deleted
        );
      },
    },
  ],
  allow: () => ['/notes/+'],
});
const toss = template('delete-note', {
  about: 'Delete a note.',
  split: 'train',
  sample(q, random) {
    const n = random.pick(mine(q));
    return { id: n.id, title: n.title, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `Delete the note ${title}.`,
      `"${title}" can go.`,
      `I've dealt with ${title}, so I don't need that note any longer. Remove it.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'deleted', test: final => find(final.notes, id)?.deleted === true }],
  allow: ({ id }) => [`/notes/${id}/deleted`],
});
const lift = template('top-of-folder', {
  about: 'Keep all notes with a label in a folder on top.',
  split: 'train',
  sample(q, random) {
    const f = random.pick(q.folders.filter(x => !x.viewOnly && mine(q).filter(n => n.folder === x.id).length >= 2));
    const ids = random
      .sample(
        mine(q).filter(n => n.folder === f.id),
        2,
      )
      .map(n => n.id);
    return {
      folder: f.id,
      name: f.name,
      label: random.pick(['red', 'amber', 'green', 'violet'] as const),
      ids,
      way: random.between(0, 2),
    };
  },
  setup(q, { folder, ids, label }) {
    for (const n of q.notes) {
      if (ids.includes(n.id)) Object.assign(n, { label, onTop: false });
      else if (n.folder === folder && n.label === label) n.label = 'none';
    }
  },
  instruction: ({ name, label, way }) =>
    [
      `In ${name}, keep the notes with a ${label} label on top.`,
      `The ${label} ones in the folder ${name} are important. Make them all stay on top.`,
      `folder ${name}: everything labelled ${label} to the top please`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `on top ${at + 1}`, test: (final: Quire) => find(final.notes, id)?.onTop === true })),
  allow: ({ ids }) => ids.map(id => `/notes/${id}/onTop`),
});
const sameLabel = template('same-label', {
  about: 'Give a note the label of another one.',
  split: 'train',
  sample(q, random) {
    const [a, b] = random.sample(mine(q), 2);
    return {
      id: a!.id,
      title: a!.title,
      other: b!.id,
      named: b!.title,
      label: random.pick(['red', 'amber', 'green', 'violet'] as const),
      way: random.between(0, 2),
    };
  },
  setup(q, { id, other, label }) {
    need(q.notes, id, 'note').label = 'none';
    need(q.notes, other, 'note').label = label;
  },
  instruction: ({ title, named, way }) =>
    [
      `Label "${title}" in the same colour as "${named}".`,
      `${title} belongs together with ${named}, so it should carry the same label.`,
      `look what colour "${named}" has & give it to "${title}" too`,
    ][way]!,
  checks: ({ id, label }) => [{ name: 'the label', test: final => find(final.notes, id)?.label === label }],
  allow: ({ id }) => [`/notes/${id}/label`],
});
const codeIn = template('code-in-note', {
  about: 'Say the code that a note holds.',
  split: 'train',
  sample(q, random) {
    const n = random.pick(mine(q));
    return {
      id: n.id,
      title: n.title,
      code: `${random.pick(['K', 'R', 'T', 'Z'])}${random.between(1000, 9999)}`,
      way: random.between(0, 2),
    };
  },
  setup(q, { id, code }) {
    need(q.notes, id, 'note').body = `Reference ${code}, see letter`;
  },
  instruction: ({ title, way }) =>
    [
      `Which reference is written in the note "${title}"?`,
      `I'm on the phone and they want the reference. It's in my note ${title}. Just the code!`,
      `reference from ${title}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ code }) => code,
  shown: ({ ui }, { id }) => ui.note === id,
});
const intoShared = template('add-to-shared', {
  about: 'Add a note to a folder that may be for looking only.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ canWrite }) => canWrite,
  sample(q, random) {
    const f = random.pick(q.folders);
    const title = `${random.pick(['Buy', 'Return', 'Mend'])} ${random.pick(['the drill', 'two chairs', 'the blinds', 'a kettle'])}`;
    return { folder: f.id, name: f.name, title, canWrite: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(q, { folder, canWrite }) {
    needFolder(q, folder).viewOnly = !canWrite;
  },
  instruction: ({ name, title, way }) =>
    [
      `Put a note titled "${title}" into ${name}, and nowhere else.`,
      `${name} lacks a note: "${title}". Add it (title only).`,
      `new note in ${name}: ${title}`,
    ][way]!,
  checks: ({ folder, title }) => [
    {
      name: 'the note is there',
      test(final, initial) {
        const [n, ...rest] = added(initial.notes, final.notes);
        return (
          rest.length === 0 &&
          n?.title === title &&
          n.folder === folder &&
          n.body === '' &&
          n.label === 'none' &&
          !n.onTop &&
          !n.deleted
        );
      },
    },
  ],
  allow: () => ['/notes/+'],
  shown: ({ ui }, { folder }) => ui.folder === folder,
});

const NOTES = [
  'Tax letter',
  'Tax letter (old)',
  'Gift ideas',
  'Gift ideas Oskar',
  'Packing list',
  'Shed plans',
  'Shed paint',
  'Bread recipe',
  'Rye bread recipe',
  'Book quotes',
  'Wifi at the cabin',
  'Car service',
  'Bike service',
  'Talk outline',
  'Running times',
  'Allergies',
  'Wine list',
  'Guest list',
  'Meter readings',
  'Lost keys',
  'Film evening',
  'Piano tuner',
];
const TREE: [string, number][] = [
  ['Home', -1],
  ['Garden', 0],
  ['Kitchen', 0],
  ['Office', -1],
  ['Office trips', 3],
  ['Money', 3],
  ['Family', -1],
  ['Cabin', 6],
];
export const app = defineApp({
  id: 'notes-with-folders',
  title: 'Quire',
  about: 'Notes in a tree of folders.',
  state,
  init(random) {
    const folders = TREE.map(([name, parent], at) => ({
      id: `f${at + 1}`,
      name,
      parent: parent < 0 ? '' : `f${parent + 1}`,
      viewOnly: at > 5 && random.chance(0.3),
    }));
    return {
      folders,
      notes: random.shuffle(NOTES).map((title, at) => ({
        id: `n${at + 1}`,
        title,
        body: random.pick(['Ask again in spring', 'See the blue binder', 'Two of each', 'Half done']),
        folder: random.pick(folders).id,
        label: random.pick(LABELS),
        onTop: random.chance(0.2),
        deleted: random.chance(0.1),
      })),
      ui: {
        open: [],
        folder: '',
        note: '',
        needle: '',
        title: '',
        body: '',
        renaming: false,
        folderName: '',
        justDeleted: '',
      },
    };
  },
  commands: [
    saveNote,
    addNote,
    moveNote,
    labelNote,
    keepOnTop,
    deleteNote,
    undelete,
    renameFolder,
    everything,
    unfold,
    show,
    read,
    put,
    startRename,
  ],
  view: q =>
    page('Quire', [
      navigation('Folders', [
        searchBox('Look for', [
          textbox('Look for a word in all notes', q.ui.needle, { enter: put.entering({ field: 'needle' }) }),
        ]),
        list('Folders', branch(q, '')),
        link('Deleted notes', show.with({ folder: DELETED })),
      ]),
      middle(q),
      q.ui.note !== '' && sheet(q),
    ]),
  templates: [retitle, refile, jot, toss, lift, sameLabel, codeIn, intoShared],
});
