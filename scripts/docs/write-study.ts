/**
 * Writes the tables of a study into the docs from its results on standard input:
 *
 *   npx espalier study loops --out runs/loops-study --json | npx node scripts/docs/write-study.ts loops
 *   npx espalier study strategies --out runs/strategies --json | npx node scripts/docs/write-study.ts strategies
 *   npx espalier study memory --out runs/memory --json | npx node scripts/docs/write-study.ts memory
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopTable } from '../../studies/loops/loop-table.ts';
import type { LoopResult } from '../../studies/loops/study-loops.ts';
import { memoryPage, type MemoryTable } from '../../studies/memory/memory-page.ts';
import { strategyPage, type StrategyTable } from '../../studies/strategies/strategy-page.ts';

const studies = {
  loops: { page: 'methods.md', write: (results: unknown[]) => loopTable(results as LoopResult[]) },
  strategies: { page: 'strategies.md', write: (results: unknown[]) => strategyPage(results as StrategyTable[]) },
  memory: { page: 'strategies.md', write: (results: unknown[]) => memoryPage(results as MemoryTable[]) },
} as const;

const name = process.argv[2] ?? '';
const lines = readFileSync(0, 'utf8')
  .split('\n')
  .filter(line => /^[[{]/.test(line));
if (!Object.hasOwn(studies, name) || lines.length === 0) {
  console.error(`Expected ${Object.keys(studies).join(', ')}, and what \`espalier study … --json\` prints as input.`);
  process.exit(2);
}
const { page: file, write } = studies[name as keyof typeof studies];
const table = write(lines.flatMap(line => JSON.parse(line) as unknown)).join('\n');
const path = join(import.meta.dirname, '..', '..', 'docs', file);
const before = readFileSync(path, 'utf8');
const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`);
writeFileSync(
  path,
  before.replace(block, (_, begin: string, end: string) => begin + table + end),
);
console.log(`docs/${file}: ${name} written`);
