import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import {
  absentCheck,
  conflicts,
  lines,
  sentence,
  textCheck,
  unchangedCheck,
  words,
  type TerminalTemplate,
} from './template.ts';

export const fileTemplates: readonly TerminalTemplate[] = [
  { id: 'files/sort-inbox', split: 'train', about: 'Move files into folders by their ending.', draw: sortInbox },
  { id: 'files/number-pages', split: 'train', about: 'Rename pages by a list.', draw: numberPages },
  { id: 'files/merge-notes', split: 'test', about: 'Put notes together in a given order.', draw: mergeNotes },
];

const endings = ['txt', 'csv', 'md', 'log', 'json'];

/** Some of the files lie in the sorted folder already, as the conflict says: those of the inbox are the newer ones. */
function sortInbox(random: Random): TerminalTask {
  const used = random.sample(endings, random.between(2, 4)).toSorted();
  const files = used.flatMap(ending =>
    words(random, random.between(1, 3)).map(name => ({ name, ending, text: `${sentence(random)}\n` })),
  );
  const [first] = files as [(typeof files)[number]];
  const kept = { path: 'inbox/README', content: `Files of ${used.join(', ')} go to sorted.\n` };
  const conflict = random.pick(conflicts);
  const target = `sorted/${first.ending}/${first.name}.${first.ending}`;
  const old = {
    missing: [],
    partial: [{ path: `sorted/${first.ending}` }],
    stale: [{ path: target, content: 'an old version\n' }],
    duplicate: [{ path: target, content: first.text }],
    'wrong-value': [{ path: `sorted/${first.ending}/${first.name}.old`, content: 'keep this one\n' }],
  }[conflict];
  const made = used.map(ending => `sorted/${ending}`).join(' ');
  return {
    instruction: `Move every file of the folder inbox that ends in ${used.map(ending => `.${ending}`).join(', ')} to the folder sorted/<ending>, such as sorted/${first.ending}/${first.name}.${first.ending}. Files of the inbox replace files of the same name there. Everything else stays as it is.`,
    files: [
      ...files.map(({ name, ending, text }) => ({ path: `inbox/${name}.${ending}`, content: text })),
      kept,
      ...old,
    ],
    checks: [
      ...files.map(({ name, ending, text }) => textCheck(`sorted/${ending}/${name}.${ending}`, text)),
      ...files.map(({ name, ending }) => absentCheck(`inbox/${name}.${ending}`)),
      unchangedCheck('inbox/README'),
    ],
    allow: ['inbox/**', 'sorted', 'sorted/**', ...(conflict === 'wrong-value' ? [] : [])],
    oracle: [`mkdir -p ${made}`, ...used.map(ending => `mv inbox/*.${ending} sorted/${ending}/`)],
    mutants: [
      [`mkdir -p ${made}`, ...used.map(ending => `cp inbox/*.${ending} sorted/${ending}/`)],
      [`mkdir -p ${made}`, ...used.map(ending => `mv inbox/*.${ending} sorted/${ending}/`), 'rm inbox/README'],
      [`mkdir -p sorted`, 'mv inbox/*.* sorted/'],
    ],
    conflict,
  };
}

/** Pages have names; a list says their order. */
function numberPages(random: Random): TerminalTask {
  const pages = words(random, random.between(3, 6)).map(name => ({ name, text: `${sentence(random)}\n` }));
  const order = random.shuffle(pages);
  const target = (at: number): string => `pages/${String(at + 1).padStart(3, '0')}.txt`;
  const [first] = order as [(typeof pages)[number]];
  return {
    instruction:
      'The file order.txt lists the pages of a book, one name a line. Rename each file pages/<name>.txt to its place in that list with three digits: the first becomes pages/001.txt. The file pages/draft.txt is not listed: leave it.',
    files: [
      { path: 'order.txt', content: lines(order.map(({ name }) => name)) },
      ...pages.map(({ name, text }) => ({ path: `pages/${name}.txt`, content: text })),
      { path: 'pages/draft.txt', content: `${sentence(random)}\n` },
    ],
    checks: [
      ...order.map(({ text }, at) => textCheck(target(at), text)),
      ...order.map(({ name }) => absentCheck(`pages/${name}.txt`)),
      unchangedCheck('pages/draft.txt'),
    ],
    allow: ['pages/**'],
    oracle: order.map(({ name }, at) => `mv pages/${name}.txt ${target(at)}`),
    mutants: [
      ['i=0; for f in pages/*.txt; do i=$((i+1)); mv "$f" pages/$(printf %03d $i).txt; done'],
      ['i=0; while read -r n; do mv "pages/$n.txt" pages/$(printf %03d $i).txt; i=$((i+1)); done < order.txt'],
      [...order.map(({ name }, at) => `mv pages/${name}.txt ${target(at)}`), `cp ${target(0)} pages/${first.name}.txt`],
    ],
  };
}

/** Comments of the notes are left out. */
function mergeNotes(random: Random): TerminalTask {
  const notes = words(random, random.between(3, 5)).map(name => {
    const own = Array.from({ length: random.between(2, 5) }, () => sentence(random));
    const at = random.between(0, own.length);
    return { name, own, text: lines([...own.slice(0, at), `# ${sentence(random)}`, ...own.slice(at)]) };
  });
  const order = random.sample(notes, notes.length - 1);
  const book = lines(order.flatMap(({ own }) => own));
  const list = order.map(({ name }) => `notes/${name}.txt`).join(' ');
  return {
    instruction:
      'Write the file book.txt: the notes that order.txt names, in its order, one after the other, without the lines that begin with #. Then write the number of lines of book.txt, and nothing else, to the file book.count.',
    files: [
      { path: 'order.txt', content: lines(order.map(({ name }) => name)) },
      ...notes.map(({ name, text }) => ({ path: `notes/${name}.txt`, content: text })),
    ],
    checks: [textCheck('book.txt', book), textCheck('book.count', String(order.flatMap(({ own }) => own).length))],
    allow: ['book.txt', 'book.count'],
    oracle: [`cat ${list} | grep -v '^#' > book.txt`, 'wc -l < book.txt > book.count'],
    mutants: [
      ["cat notes/*.txt | grep -v '^#' > book.txt", 'wc -l < book.txt > book.count'],
      [`cat ${list} > book.txt`, 'wc -l < book.txt > book.count'],
      [`cat ${list} | grep -v '^#' > book.txt`, 'wc -c < book.txt > book.count'],
    ],
  };
}
