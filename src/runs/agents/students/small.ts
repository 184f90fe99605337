import { resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import { defineStudent } from '../agent-entry.ts';

export const small = defineStudent({
  name: 'small',
  usage: 'small[:<folder>]',
  about: 'The model that comes with Espalier, run on the CPU; or one that python/recipe exported to a folder.',
  config: z.strictObject({
    kind: z.literal('small'),
    /** Null for the one that comes with Espalier. */
    folder: z.string().nullable().default(null),
    /** Of the weights when the run began: another model is another run. */
    sha256: z.string().nullable().default(null),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  read: smallNamed,
  async settle(config) {
    const { sha256 } = await openFiles(config.folder);
    if (config.sha256 === null || config.sha256 === sha256) return { ...config, sha256 };
    throw invalidOption(
      `The model small is not the one that the run began with: its hash is ${sha256}.`,
      `Expected the hash ${config.sha256}: put that model back, or start another run with --out.`,
    );
  },
  evaluated: { temperature: 0 },
  async open({ folder, temperature }, { onNotice }) {
    const { createSmallPolicy } = await import('../../../agents/small/small-policy.ts');
    const { model, identity } = await openSmall(folder);
    const policy = createSmallPolicy({ model, temperature, ...(onNotice === undefined ? {} : { onNotice }) });
    return { make: () => policy, identity };
  },
});

/** Reads `small` and `small:folder`. */
export function smallNamed(text: string): { readonly kind: 'small'; readonly folder: string | null } | null {
  if (text === 'small') return { kind: 'small', folder: null };
  return text.startsWith('small:') ? { kind: 'small', folder: resolve(text.slice('small:'.length)) } : null;
}

/** The model of a folder, and a name that tells it from others. Its weights are loaded at the first question. */
export async function openSmall(folder: string | null) {
  const { createSmallModel } = await import('../../../agents/small/small-model.ts');
  const files = await openFiles(folder);
  return { model: createSmallModel(files), identity: `small ${files.sha256.slice(0, 8)}` };
}

async function openFiles(folder: string | null) {
  const { findSmallFolder, readModelFiles } = await import('../../../agents/small/model-files.ts');
  return readModelFiles(folder ?? findSmallFolder());
}
