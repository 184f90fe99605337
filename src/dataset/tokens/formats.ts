import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import type { Row, Table } from '../rows/columns.ts';
import { primeRl, primeRlRows } from './prime-rl.ts';
import { createSkyrlRows, skyrl } from './skyrl.ts';
import type { TokenSegment } from './token-segment.ts';
import { trl, trlRows } from './trl.ts';
import { verl, verlRows } from './verl.ts';

/** Rows of tokens as one trainer takes them. */
export interface TokenFormat extends Entry {
  readonly table: Table;
  /** For one export. */
  create(): (segments: readonly TokenSegment[]) => readonly Row[];
}

/** The trainers that rows of tokens are written for. */
export const tokenFormats = createRegistry<TokenFormat>({
  noun: 'token format',
  plural: 'token-formats',
  about: 'Rows of token ids, masks and log probabilities, as trainers take them: `espalier export --tokens`.',
  module: { member: 'tokenFormat', powers: ['name', 'columns', 'rows'] },
  entries: [
    { name: 'trl', about: 'What rollout_func of the GRPOTrainer of TRL returns.', table: trl, create: () => trlRows },
    { name: 'verl', about: 'Prompts, responses and masks for verl.', table: verl, create: () => verlRows },
    { name: 'skyrl', about: 'Generator output for SkyRL.', table: skyrl, create: createSkyrlRows },
    { name: 'prime-rl', about: 'Rollouts for prime-rl.', table: primeRl, create: () => primeRlRows },
  ],
});
