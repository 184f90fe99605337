import { Editor } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { openDB } from 'idb';

/** Notes in a rich-text editor (ProseMirror), kept in IndexedDB. */
const first = [
  { id: 1, title: 'Garden', text: '<h2>Garden</h2><p>Sow the <strong>beans</strong> in May.</p>' },
  { id: 2, title: 'Books', text: '<p>To read:</p><ul><li><p>Persuasion</p></li><li><p>Middlemarch</p></li></ul>' },
];

const database = await openDB('notes', 1, {
  upgrade(fresh) {
    const notes = fresh.createObjectStore('notes', { keyPath: 'id' });
    for (const note of first) notes.put(note);
  },
});

document.getElementById('root').innerHTML = `
  <h1>Notes</h1>
  <ul id="list" aria-label="Notes"></ul>
  <button id="new">New note</button>
  <div role="toolbar" aria-label="Format">
    <button data-command="toggleBold">Bold</button>
    <button data-command="toggleItalic">Italic</button>
    <button data-command="toggleHeading">Heading</button>
    <button data-command="toggleBulletList">List</button>
    <button data-command="undo">Undo</button>
    <button data-command="redo">Redo</button>
  </div>
  <div id="editor"></div>
  <button id="save">Save</button>
  <p role="status" id="out"></p>`;
const [list, out] = ['list', 'out'].map(id => document.getElementById(id));
let open = 1;

const editor = new Editor({
  element: document.getElementById('editor'),
  extensions: [StarterKit],
  editorProps: { attributes: { role: 'textbox', 'aria-label': 'Text', 'aria-multiline': 'true' } },
  onTransaction({ editor: changed }) {
    for (const button of document.querySelectorAll('[data-command]')) {
      const mark = button.dataset.command.replace(/^toggle/, '');
      button.setAttribute('aria-pressed', String(changed.isActive(mark.charAt(0).toLowerCase() + mark.slice(1))));
    }
    const count = changed.getText().split(/\s+/).filter(Boolean).length;
    out.textContent = `${count} words`;
  },
});

document.querySelector('[role=toolbar]').addEventListener('click', ({ target }) => {
  const { command } = target.dataset;
  if (command === undefined) return;
  const chain = editor.chain().focus();
  (command === 'toggleHeading' ? chain.toggleHeading({ level: 2 }) : chain[command]()).run();
});

async function show(id) {
  open = id;
  const notes = await database.getAll('notes');
  list.replaceChildren(
    ...notes.map(note => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = note.title;
      if (note.id === id) button.setAttribute('aria-current', 'true');
      button.onclick = () => show(note.id);
      item.append(button);
      return item;
    }),
  );
  editor.commands.setContent(notes.find(note => note.id === id).text);
}

document.getElementById('save').onclick = async () => {
  const title = editor.getText().trim().split('\n')[0].slice(0, 20) || 'Untitled';
  await database.put('notes', { id: open, title, text: editor.getHTML() });
  await show(open);
  out.textContent = `Saved ${title}`;
};
document.getElementById('new').onclick = async () => {
  const id = (await database.count('notes')) + 1;
  await database.put('notes', { id, title: 'Untitled', text: '<p></p>' });
  await show(id);
  editor.commands.focus();
};
await show(1);
