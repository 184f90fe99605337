// A file manager: a tree of folders on the left, the files of the open folder on the right, dialogs to rename and move.
import {
  added,
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
} from 'espalier';
import { page, refuse, region, remove, status, switchButton, text, textbox, toolbar, z } from 'espalier';

const folder = z.object({ id: z.string(), name: z.string(), parent: z.string() });
const file = z.object({
  id: z.string(),
  name: z.string(),
  folder: z.string(),
  size: z.int(),
  author: z.string(),
  pinned: z.boolean(),
});
const state = z.object({
  folders: z.array(folder),
  files: z.array(file),
  ui: z.object({ at: z.string(), ask: z.string(), file: z.string(), typed: z.string(), notice: z.string() }),
});
type Cabinet = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const home = { ask: '', file: '', typed: '' };

const rename = command('rename_file', {
  about: 'Rename a file.',
  input: z.object({ id: z.string(), name: z.string().trim().min(1, 'a name is needed') }),
  run(draft, { id, name }) {
    need(draft.files, id, 'file').name = name;
    Object.assign(draft.ui, home, { notice: `Renamed to ${name}.` });
  },
});
const move = command('move_file', {
  about: 'Move a file into another folder.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const target = draft.folders.find(({ name }) => name === value) ?? refuse('There is no such folder.');
    need(draft.files, id, 'file').folder = target.id;
    Object.assign(draft.ui, home, { notice: `Moved to ${value}.` });
  },
});
const trash = command('delete_file', {
  about: 'Delete a file.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    remove(draft.files, id);
    Object.assign(draft.ui, home, { notice: 'Deleted.' });
  },
});
const pin = command('pin_file', {
  about: 'Pin a file, or unpin it.',
  input: z.object({ id: z.string(), pinned: z.boolean() }),
  run: (draft, { id, pinned }) => void Object.assign(need(draft.files, id, 'file'), { pinned }),
});
const makeFolder = command('make_folder', {
  about: 'Make a folder inside another one.',
  input: z.object({ parent: z.string(), name: z.string().trim().min(1, 'a name is needed') }),
  run(draft, { parent, name }) {
    draft.folders.push({ id: nextId(draft.folders, 'k'), name, parent });
    Object.assign(draft.ui, home, { notice: `Folder ${name} made.` });
  },
});
const listFiles = query('list_files', { about: 'List files.', input: z.object({}), run: ({ files }) => files });
const go = gesture('open_folder', {
  about: 'Open a folder.',
  input: z.object({ at: z.string() }),
  run: (draft, { at }) => void Object.assign(draft.ui, home, { at, notice: '' }),
});
const ask = gesture('ask', {
  about: 'Open a dialog, or the properties of a file.',
  input: z.object({ ask: z.string(), file: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, home, input, { notice: '' }),
});
const type = gesture('type_name', {
  about: 'Type a name.',
  input: z.object({ value: z.string().max(60) }),
  run: (draft, { value }) => void Object.assign(draft.ui, { typed: value }),
});

// The tree: a folder with its children below it, where it is on the way to the open one.
function branch(it: Cabinet, parent: string): ReturnType<typeof listItem>[] {
  const way = [it.ui.at];
  for (let up = find(it.folders, it.ui.at); up !== undefined; up = find(it.folders, up.parent)) way.push(up.parent);
  return it.folders
    .filter(folder => folder.parent === parent)
    .map(({ id, name }) =>
      listItem(name, [
        link(name, go.with({ at: id }), way.includes(id) ? ['expanded'] : []),
        way.includes(id) && it.folders.some(folder => folder.parent === id) && list(`in ${name}`, branch(it, id)),
      ]),
    );
}

function overlay({ files, folders, ui }: Cabinet) {
  const { id, name, size, author } = find(files, ui.file) ?? { id: '', name: '', size: 0, author: '' };
  return dialog(ui.ask === 'folder' ? 'New folder' : `${name}`, [
    ui.notice !== '' && status(ui.notice),
    ui.ask === 'info' && text(`${size} kB, last saved by ${author}`),
    ui.ask === 'info' && button('Rename…', ask.with({ ask: 'rename', file: id })),
    ui.ask === 'info' && button('Move to trash', trash.with({ id })),
    ui.ask === 'info' &&
      combobox('Lies in', find(folders, find(files, id)?.folder ?? '')?.name ?? '', {
        enter: move.entering({ id }),
        options: folders.map(folder => folder.name),
      }),
    ui.ask !== 'info' && textbox('Name', ui.typed, { enter: type.entering({}) }),
    ui.ask === 'rename' && button('OK', rename.with({ id, name: ui.typed })),
    ui.ask === 'folder' && button('Make it', makeFolder.with({ parent: ui.at, name: ui.typed })),
    button('Dismiss', ask.with({ ask: '', file: '' })),
  ]);
}

const people = 'R. Amsel|T. Okoye|L. Brandt|S. Iyer|C. Duval|M. Holm|K. Petrov|J. Arana'.split('|');
const stems = 'budget minutes sketch contract survey poster roster floorplan invoice agenda memo slides'.split(' ');
const kinds = '-draft.odt|-v2.pdf|-final.docx|-old.xls|_notes.md'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';
const place = (it: Cabinet, id: string): string => find(it.folders, find(it.files, id)?.folder ?? '')?.name ?? '';

const renameFile = template('rename-file', {
  about: 'Rename a file of a folder.',
  split: 'train',
  sample(it, random) {
    const { id, name } = random.pick(it.files);
    return {
      id,
      name,
      where: place(it, id),
      to: `${random.pick(stems)}-${random.between(2019, 2031)}.txt`,
      turn: random.between(0, 5),
    };
  },
  instruction: ({ name, where, to, turn }) =>
    say(
      turn,
      `Rename ${name} (in ${where}) to ${to}`,
      `The file ${name} in the folder ${where} should be called ${to}.`,
      `Nobody understands what ${name} means. It is under ${where}; please name it ${to} instead.`,
      `${where}/${name} => ${to}`,
      `Would you give ${name} the new name ${to}? You find it in ${where}.`,
      `We agreed on file names with the year, so in ${where} turn ${name} into ${to}.`,
    ),
  checks: ({ id, to }) => [{ name: `it is called ${to}`, test: end => find(end.files, id)?.name === to }],
  allow: ({ id }) => [`/files/${id}/name`],
});

const moveFile = template('move-file', {
  about: 'Move a file from one folder to another.',
  split: 'train',
  sample(it, random) {
    const { id, name, folder: from } = random.pick(it.files);
    const target = random.pick(it.folders.filter(folder => folder.id !== from));
    return { id, name, where: place(it, id), target: target.id, to: target.name, turn: random.between(0, 5) };
  },
  instruction: ({ name, where, to, turn }) =>
    say(
      turn,
      `Move ${name} from ${where} to ${to}.`,
      `${name} is in the wrong place (${where}). It belongs to ${to}.`,
      `Please file ${name} under ${to}; at the moment it is lying around in ${where}.`,
      `I can never find ${name} because someone left it in ${where}. Put it into ${to}?`,
      `${where}: ${name} has to go into the folder ${to}`,
      `As ${to} is where we look for such things, take ${name} out of ${where} and move it there.`,
    ),
  checks: ({ id, target, to }) => [{ name: `it is in ${to}`, test: end => find(end.files, id)?.folder === target }],
  allow: ({ id }) => [`/files/${id}/folder`],
});

const lastSaved = template('who-saved-it', {
  about: 'Say who saved a file last.',
  split: 'train',
  sample(it, random) {
    const { id, name } = random.pick(it.files);
    return { id, name, where: place(it, id), turn: random.between(0, 5) };
  },
  instruction: ({ name, where, turn }) =>
    say(
      turn,
      `Who saved ${name} last? It is in ${where}.`,
      `${where}/${name}: last saved by?`,
      `Somebody broke ${name} in the folder ${where}. Find out who touched it last and tell me the name.`,
      `Can you look at the properties of ${name} (${where}) and say whose changes are in there?`,
      `I want to thank the person behind the newest version of ${name}, see ${where}. Who is it?`,
      `Name of whoever last wrote to ${name} in ${where}, please.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { files }) => need(files, id, 'file').author,
  shown: ({ ui }, { id }) => ui.ask === 'info' && ui.file === id,
});

const biggest = template('delete-biggest', {
  about: 'Delete the biggest file of a folder.',
  split: 'train',
  sample({ folders, files }, random) {
    const full = folders.filter(({ id }) => files.filter(file => file.folder === id).length > 1);
    if (full.length === 0) return null;
    const { id: at, name: where } = random.pick(full);
    const [big] = files.filter(file => file.folder === at).sort((a, b) => b.size - a.size);
    return { id: big?.id ?? '', where, turn: random.between(0, 5) };
  },
  instruction: ({ where, turn }) =>
    say(
      turn,
      `Delete the biggest file in ${where}.`,
      `We are short of space: trash the largest thing in the folder ${where}, and only that one.`,
      `${where}: remove the file with the most kB`,
      `Would you clear out whatever takes up the most room in ${where}? One file is enough.`,
      `In ${where} one file is larger than all others. It can go.`,
      `Please get rid of the heaviest file under ${where}.`,
    ),
  checks: ({ id }) => [{ name: 'the biggest file is gone', test: end => find(end.files, id) === undefined }],
  allow: ({ id }) => [`/files/${id}`],
});

const pinAndFolder = template('pin-and-make-folder', {
  about: 'Pin a file and make a folder beside it.',
  split: 'train',
  sample(it, random) {
    const { id, name, folder: at } = random.pick(it.files.filter(({ pinned }) => !pinned));
    const made = `${random.pick(['Archive', 'Inbox', 'Scans', 'Review', 'Spring', 'Autumn'])} ${random.between(2019, 2031)}`;
    return { id, name, at, where: place(it, id), made, turn: random.between(0, 5) };
  },
  instruction: ({ name, where, made, turn }) =>
    say(
      turn,
      `In ${where}, pin ${name} and make a folder "${made}".`,
      `Go to ${where}. Make a new folder there called ${made}, and pin the file ${name}.`,
      `I need ${name} pinned (it is in ${where}), and in the same place a subfolder ${made}.`,
      `${where}: + folder ${made}, pin ${name}`,
      `Could you set up a folder named ${made} inside ${where}? While you are there, switch on the pin of ${name}.`,
      `So that people see it first, pin ${name} in ${where}. Then create ${made} in that folder.`,
    ),
  checks: ({ id, at, made }) => [
    { name: 'the file is pinned', test: end => find(end.files, id)?.pinned === true },
    {
      name: `the folder ${made} is there`,
      test(end, start) {
        const [fresh, ...more] = added(start.folders, end.folders);
        return more.length === 0 && fresh?.name === made && fresh.parent === at;
      },
    },
  ],
  allow: ({ id }) => [`/files/${id}/pinned`, '/folders/+'],
});

export const app = defineApp({
  id: 'file-cabinet',
  title: 'Cabinet',
  about: 'The shared files of an office, in nested folders.',
  state,
  init(random) {
    const tops = random.sample('Finance|Projects|Staff|Press|Building|Legal'.split('|'), 4);
    const subs = random.sample(
      'Harbour site|Annual report|Hiring|Insurance|Canteen|Training|Leases|Photos|Tax'.split('|'),
      6,
    );
    const names = [...tops, ...subs];
    const folders = names.map((name, at) => ({
      id: `k${at + 1}`,
      name,
      parent: at < 4 ? '' : `k${random.between(1, Math.min(at, 6))}`,
    }));
    const files = random
      .sample(
        stems.flatMap(stem => kinds.map(kind => stem + kind)),
        24,
      )
      .map((name, at) => ({
        id: `f${at + 1}`,
        name,
        folder: random.pick(folders).id,
        size: random.between(12, 9800),
        author: random.pick(people),
        pinned: random.chance(0.2),
      }));
    return { folders, files, ui: { at: 'k1', ask: '', file: '', typed: '', notice: '' } };
  },
  commands: [rename, move, trash, pin, makeFolder, listFiles, go, ask, type],
  view(it) {
    if (it.ui.ask !== '') return page('Cabinet', [overlay(it)]);
    const here = it.files.filter(({ folder: at }) => at === it.ui.at);
    return page('Cabinet', [
      region('Folders', [list('All folders', branch(it, ''))]),
      region('Contents', [
        it.ui.notice !== '' && status(it.ui.notice),
        heading(find(it.folders, it.ui.at)?.name ?? ''),
        toolbar('Folder', [button('+ Folder', ask.with({ ask: 'folder', file: '' }))]),
        list(
          `${here.length} files`,
          here.map(({ id, name, size, pinned }) =>
            listItem(`${name} · ${size} kB`, [
              button(`Properties of ${name}`, ask.with({ ask: 'info', file: id })),
              switchButton(`Pin ${name}`, pinned, pin.with({ id, pinned: !pinned })),
            ]),
          ),
        ),
      ]),
    ]);
  },
  templates: [renameFile, moveFile, lastSaved, biggest, pinAndFolder],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { notice: message }),
});
