import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../../core/errors.ts';
import { readText } from '../../../modules/read-file.ts';
import { defineStudent } from '../agent-entry.ts';

export const small = defineStudent({
  name: 'small',
  usage: 'small[:<folder, file or address>]',
  about:
    'The model that comes with Espalier, run on the CPU; one that python/recipe exported to a folder or serves at an address; or one adapted to an app (espalier loop --student small).',
  config: z.strictObject({
    kind: z.literal('small'),
    /** Of a model, the file of an adapter, or the address of a server; null for the model that comes with Espalier. */
    folder: z.string().nullable().default(null),
    /** Of the weights when the run began: another model is another run. */
    sha256: z.string().nullable().default(null),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  read: smallNamed,
  async settle(config) {
    const { sha256 } = await readSmall(config.folder);
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

const address = /^https?:\/\//;

/** Reads `small`, `small:folder`, `small:file` and `small:http://…`. */
export function smallNamed(text: string): { readonly kind: 'small'; readonly folder: string | null } | null {
  if (text === 'small') return { kind: 'small', folder: null };
  if (!text.startsWith('small:')) return null;
  const path = text.slice('small:'.length);
  if (path === '')
    throw invalidOption(
      '"small:" names no model.',
      'Expected small, small:<folder of a model>, small:<file of an adapted one> or small:http://<where one is served>.',
    );
  return { kind: 'small', folder: address.test(path) ? path : resolve(path) };
}

/** The model of a folder or of an adapter, and a name that tells it from others. Its weights are loaded at the first question. */
export async function openSmall(path: string | null) {
  const { createSmallModel } = await import('../../../agents/small/small-model.ts');
  const { files, adapter, sha256 } = await readSmall(path);
  const model = createSmallModel(files);
  if (adapter === null) return { model, adapter, identity: `small ${sha256.slice(0, 8)}` };
  const { createAdaptedModel } = await import('../../../agents/small/adapter.ts');
  return {
    model: createAdaptedModel(model, adapter, sha256),
    adapter,
    identity: `adapted small ${sha256.slice(0, 8)}`,
  };
}

/** The files of a model, and the adapter where the path names one. */
async function readSmall(path: string | null) {
  if (path !== null && address.test(path)) {
    const { readServedModel } = await import('../../../agents/small/served-model.ts');
    const files = await readServedModel(path);
    return { files, adapter: null, sha256: files.sha256 };
  }
  const { findSmallFolder, readModelFiles } = await import('../../../agents/small/model-files.ts');
  if (path === null || !isFile(path)) {
    const files = readModelFiles(path ?? findSmallFolder());
    return { files, adapter: null, sha256: files.sha256 };
  }
  const { readAdapter } = await import('../../../agents/small/adapter-file.ts');
  const text = readText(path);
  const adapter = readAdapter(text, path);
  const files = readModelFiles(adapter.folder ?? findSmallFolder());
  if (files.sha256 !== adapter.model) throw otherModel(path, adapter.model, files.sha256);
  return { files, adapter, sha256: hash('sha256', text) };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function otherModel(path: string, expected: string, found: string): EspalierError {
  return invalidOption(
    `${path} adapts the model with the hash ${expected.slice(0, 16)}…; the one here has ${found.slice(0, 16)}….`,
    'Adapt this model with the same rows: espalier train <run> --student small.',
  );
}
