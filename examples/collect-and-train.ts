import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, createWorld, evaluate, exportRun, train } from 'espalier';
import { app } from './library/library.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-example-'));

// What the command line does with collect, export, train and eval, on a world of this program.
const environments = [createWorld(app)];
const { ended } = await collect({ folder, environments, instances: 2 });
const { manifest } = await exportRun({ folder, formats: ['jsonl'] });
const { file, rows } = await train({ folders: [folder] });
const { subject } = await evaluate({ folder, environments, student: file, instances: 1, baselines: false });
console.log(`${ended} episodes gave ${rows} rows; ${subject?.trials.length} tasks were evaluated`);

assert.ok(ended > 0 && rows > 0);
assert.ok(manifest.files.some(({ table }) => table === 'next-actions'));
assert.ok((subject?.trials.length ?? 0) > 0);
rmSync(folder, { recursive: true });
