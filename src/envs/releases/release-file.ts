import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { actionSchema } from '../../core/action.ts';
import { createDigest } from '../../core/digest.ts';
import { invalidTask, type EspalierError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { isSealed, parseRecord, taskSchema, verdictSchema } from '../../core/records.ts';
import { readJson, readText } from '../../modules/read-file.ts';

/** The file that makes a folder one of a release. */
export const releaseFile = 'release.json';

/** Where copies of the user's modules lie in it. */
export const sourceFolder = 'source';

export const demandSchema = z.strictObject({
  /** The day on which it was seen. */
  date: z.iso.date(),
  /** `template`, or `app/template`. */
  template: z.string().min(1),
  /** How much it was asked for. */
  weight: z.number().positive(),
});
export type Demand = z.infer<typeof demandSchema>;

/** What a task must do to be the one that was frozen. */
const proofSchema = z.strictObject({
  task: z.string(),
  /** Digest of its initial state. */
  root: z.string(),
  /** A path that was walked, and what came of it; null where no planner found one. */
  path: z
    .strictObject({ actions: z.array(actionSchema).readonly(), end: z.string(), verdict: verdictSchema })
    .nullable(),
});
export type Proof = z.infer<typeof proofSchema>;

const contentSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  date: z.iso.date(),
  /** The version of Espalier that froze it. */
  espalier: z.string(),
  /** The environment that opens the tasks; what lies in the folder is named from there, `./source/…`. */
  environment: z.string(),
  /** A text that stands nowhere else: whoever has it has read the release. */
  canary: z.string(),
  /** What was asked for up to the date, and decided how many tasks each template has. */
  demand: z.array(demandSchema).readonly(),
  tasks: z.array(taskSchema).min(1).readonly(),
  proofs: z.array(proofSchema).readonly(),
  /** Hashes of the copied modules, by their path in the folder. */
  files: z.record(z.string(), z.string()),
});
export type ReleaseContent = z.infer<typeof contentSchema>;

const releaseSchema = contentSchema.extend({ hash: z.string() });
export type Release = z.infer<typeof releaseSchema>;

/** The same text for the same release, whenever it is written. */
export function writeRelease(content: ReleaseContent): string {
  return `${JSON.stringify({ ...content, hash: hashOf(content) }, null, 1)}\n`;
}

function hashOf(content: ReleaseContent): string {
  return createDigest()(JSON.parse(JSON.stringify(content)) as Json);
}

/** Reads a release; one that was changed in any place is refused. */
export function readRelease(folder: string): Release {
  const path = join(folder, releaseFile);
  if (!existsSync(path))
    throw invalidTask(
      `${folder} holds no release: there is no ${path}.`,
      'Expected a folder of espalier release freeze.',
    );
  const release = parseRecord(releaseSchema, readJson(path), { what: path, code: 'invalid-task' });
  const { hash: written, ...content } = release;
  if (hashOf(content) !== written) throw tampered(path, 'its hash is not that of what it holds');
  const broken = release.tasks.find(task => !isSealed(task));
  if (broken !== undefined) throw tampered(path, `the task ${broken.id} was altered`);
  for (const [name, sum] of Object.entries(release.files)) {
    const file = join(folder, name);
    const isSame = existsSync(file) && hash('sha256', readText(file)) === sum;
    if (!isSame) throw tampered(path, `${name} is ${existsSync(file) ? 'not the file that was frozen' : 'missing'}`);
  }
  return release;
}

function tampered(path: string, why: string): EspalierError {
  return invalidTask(
    `The release in ${path} was changed: ${why}.`,
    'Expected it as it was frozen: put the copy back that you published, or freeze another one.',
  );
}
