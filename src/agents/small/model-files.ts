import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { causeText, EspalierError, type ErrorCode } from '../../core/errors.ts';
import { describeIssues } from '../../core/records.ts';
import { factsVersion, modelFactsSchema, type ModelFacts } from './model-facts.ts';
import { openRuntime, type Infer } from './runtime.ts';

/** A model that can be asked: its files, checked, or one that is served. */
export interface ModelFiles {
  readonly facts: ModelFacts;
  /** Of the weights. */
  readonly sha256: string;
  readTokenizer(): object;
  /** Loads the weights, where they are not loaded elsewhere. */
  open(): Promise<Infer>;
}

const packageName = 'espalier-small';
const again = `Copy the folder again, or install it again: npm install ${packageName}.`;

/** Where the model that comes with Espalier lies: in its sources, or in the package that is installed beside it. */
export function findSmallFolder(): string {
  const inSources = fileURLToPath(new URL('../../../packages/small', import.meta.url));
  if (existsSync(join(inSources, 'model.json'))) return inSources;
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch {
    throw failure(
      'unavailable',
      'The model small is not installed.',
      `Install it beside espalier: npm install --ignore-scripts ${packageName} onnxruntime-node@1.30.0; or name the folder of another one: small:<folder>.`,
    );
  }
}

/** Reads what lies in the folder of a model, and refuses files that are cut, of another version or of another model. */
export function readModelFiles(folder: string): ModelFiles {
  if (!existsSync(join(folder, 'model.json')))
    throw failure(
      'unavailable',
      existsSync(folder) ? `${folder} holds no model: there is no model.json in it.` : `${folder} does not exist.`,
      'Expected a folder that python/recipe/export.py wrote, with model.json, model.onnx and tokenizer.json, or a file that espalier loop --student small wrote.',
    );
  const facts = readFacts(join(folder, 'model.json'));
  const files = { model: join(folder, 'model.onnx'), tokenizer: join(folder, 'tokenizer.json') };
  requireHash(files.model, facts.sha256['model.onnx'], 'It is cut, or of another model.');
  const tokenizer = requireHash(
    files.tokenizer,
    facts.sha256['tokenizer.json'],
    'The model was trained with another tokenizer.',
  );
  return {
    open: () => openRuntime(files.model),
    facts,
    sha256: facts.sha256['model.onnx'],
    readTokenizer: () => JSON.parse(tokenizer.toString()) as object,
  };
}

function readFacts(path: string): ModelFacts {
  const text = readPart(path).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw failure('corrupt-record', `${path} is cut or no JSON: ${causeText(cause)}.`, again);
  }
  return checkFacts(value, path);
}

/** What a model says of itself, in a file or at an address. */
export function checkFacts(value: unknown, where: string, mend = again): ModelFacts {
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version !== factsVersion)
    throw failure(
      'unsupported',
      `${where} is of version ${version}.`,
      `This Espalier reads version ${factsVersion}: install espalier and ${packageName} of one version, or export the model again.`,
    );
  const parsed = modelFactsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw failure('corrupt-record', `${where} does not describe a model: ${describeIssues(parsed.error)}.`, mend);
}

function requireHash(path: string, expected: string, why: string): Buffer {
  const data = readPart(path);
  const sha256 = hash('sha256', data);
  if (sha256 === expected) return data;
  throw failure(
    'corrupt-record',
    `${path} has ${data.length} bytes with the hash ${sha256.slice(0, 16)}…: model.json says ${expected.slice(0, 16)}…. ${why}`,
    again,
  );
}

function readPart(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw failure('unavailable', `${path} cannot be read: ${causeText(cause)}.`, again);
  }
}

function failure(code: ErrorCode, message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code, message, expected });
}
