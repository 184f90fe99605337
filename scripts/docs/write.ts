/**
 * Brings the docs up to date: writes the reference from the help of the program, runs the examples of each page, and
 * replaces the outputs that changed by more than numbers. `npm run docs -- quick-start` does it for single pages, `--fresh`
 * replaces every output.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeShownCommands } from './blocks.ts';
import { renderReference } from './reference.ts';
import { runPage, type BlockResult } from './run-page.ts';
import { isShortened, missingLines } from './same-output.ts';

const root = join(import.meta.dirname, '..', '..');
const isFresh = process.argv.includes('--fresh');
const wanted = process.argv.slice(2).filter(word => word !== '--fresh');

if (wanted.length === 0 || wanted.includes('reference')) {
  writeFileSync(join(root, 'docs', 'reference.md'), renderReference());
  console.log('reference.md written');
}
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => join('docs', name))];
for (const name of pages) {
  const isWanted = wanted.length === 0 || wanted.some(word => name.endsWith(`${word}.md`));
  if (name.endsWith('.md') && isWanted && !name.endsWith('reference.md')) await refresh(name);
}

async function refresh(name: string): Promise<void> {
  const page = readFileSync(join(root, name), 'utf8');
  const results: BlockResult[] = [];
  for await (const result of runPage(page)) {
    const { block, command, code, stderr } = result;
    results.push(result);
    const due = Number(block.attributes['exit'] ?? 0);
    if (code !== due) console.log(`${name}:${block.line}: "${command}" ended with ${code}, not ${due}.\n${stderr}`);
  }
  let changed = page;
  for (const block of new Set(results.map(result => result.block))) {
    const own = results.filter(result => result.block === block && result.expected !== null);
    if (block.language !== 'console' || isShortened(block.text)) continue;
    if (!isFresh && own.every(({ expected, stdout }) => missingLines(expected as string, stdout).length === 0))
      continue;
    const text = writeShownCommands(own.map(({ command, stdout }) => ({ command, output: stdout })));
    changed = changed.replace(block.text, () => text);
  }
  if (changed !== page) writeFileSync(join(root, name), changed);
  console.log(`${name}: ${results.length} examples run${changed === page ? '' : ', outputs replaced'}`);
}
