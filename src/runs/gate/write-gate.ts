import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseRecord } from '../../core/records.ts';
import { writeAnnotations } from '../../analysis/gate/annotations.ts';
import { writeJunit } from '../../analysis/gate/junit.ts';
import { writeGatePage } from '../../analysis/gate/page.ts';
import type { GateResult } from '../../analysis/gate/result.ts';
import { writeWhole } from '../folder/folder.ts';

export interface WriteGateOptions {
  /** Folder of the run. */
  readonly folder: string;
  /** The gate file that annotations point to. */
  readonly file: string;
  readonly version: string;
}

const orderSchema = z.looseObject({ order: z.array(z.string()).readonly().default([]) });

/** The units of the gate that was decided in this folder before; none where there was none. */
export function readOrder(folder: string): readonly string[] {
  const path = join(folder, 'gate.json');
  if (!existsSync(path)) return [];
  return parseRecord(orderSchema, JSON.parse(readFileSync(path, 'utf8')), { what: path, code: 'invalid-option' }).order;
}

/** Writes the decision as a page, JSON, JUnit XML and annotations; returns their paths. */
export function writeGate(result: GateResult, { folder, file, version }: WriteGateOptions): readonly string[] {
  const files = {
    'gate.html': writeGatePage(result, version),
    'gate.json': `${JSON.stringify({ version: 1, ...result }, null, 2)}\n`,
    'gate.junit.xml': writeJunit(result),
    'gate.annotations.txt': writeAnnotations(result, file),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeWhole(path, text);
    return path;
  });
}
