import type { Command } from 'commander';
import { plainNumber, wholeNumber } from '../terminal/verb.ts';

/** What models may cost. */
export function addBudgetOptions(command: Command): Command {
  return command
    .option('--budget-dollars <n>', 'the most to spend on models; the run then stops, and can go on', plainNumber)
    .option('--budget-tokens <n>', 'the same in tokens', wholeNumber);
}
