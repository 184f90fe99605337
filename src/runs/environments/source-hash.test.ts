import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { synthSpec } from '../../envs/synth/generate/synth-spec.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { studentContender } from '../jobs/contender.ts';
import { collectRun } from '../collect.ts';
import { readConfig, type ConfigDraft } from '../config/config.ts';
import { evaluateRun } from '../evaluate.ts';
import { findConfig } from '../folder/folder.ts';
import { absoluteName } from './names.ts';
import { hashSources } from './source-hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-sources-'));
const host = createSystemHost({ workers: 0 });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spec = join(folder, 'app.json');
writeFileSync(spec, JSON.stringify(synthSpec(17)));

/** Another app: the same spec with one label more. */
function edit(): void {
  writeFileSync(spec, readFileSync(spec, 'utf8').replace('"title":"', '"title":"New '));
}

function collect(run: string, draft: Partial<ConfigDraft> = {}) {
  const before = findConfig(join(folder, run));
  const config = readConfig(
    before ?? { run, environments: [`synth:${spec}`], instances: 1, strategy: { kind: 'linear' }, ...draft },
    'The run',
  );
  return collectRun({ config, folder: join(folder, run), host });
}

describe('a run on an app of the user’s', () => {
  it('[RUN-43] is refused when the module of its contracts was edited since', async () => {
    const contracts = join(folder, 'rules.mjs');
    const write = (id: string) =>
      writeFileSync(
        contracts,
        `export const contracts = [{ id: '${id}', about: 'x', mediation: 'log', holds: () => true }];`,
      );
    write('one');
    const ruled = { environments: ['mail'], templates: ['star-message'], contracts };
    await collect('ruled', ruled);
    expect((await collect('ruled')).ended).toBe(0);
    write('two');
    await expect(collect('ruled')).rejects.toThrow('rules.mjs has changed since this run began');
  });

  it('[RUN-43] is refused when the spec of the app was edited since', async () => {
    await collect('collected');
    expect((await collect('collected')).ended).toBe(0);
    const subject = await studentContender('untrained');
    const evaluate = () =>
      evaluateRun({
        environments: [`synth:${spec}`],
        folder: join(folder, 'evaluated'),
        subject,
        instances: 1,
        trials: 1,
        levels: ['new-instances'],
        baselines: false,
        seed: 1,
        concurrency: 2,
        browser: null,
        host,
      });
    await evaluate();
    expect((await evaluate()).known).toHaveLength(1);
    edit();
    await expect(collect('collected')).rejects.toThrow('has changed since this run began');
    await expect(evaluate()).rejects.toThrow('has changed since this run evaluated on it');
  });

  it('[RUN-43] knows modules, specs and folders of tasks by their files, and built-in apps not at all', () => {
    const library = absoluteName('examples/library/library.ts');
    const tasks = join(folder, 'tasks');
    cpSync(library, join(folder, 'library.ts'));
    const names = ['mail', 'synth:17', 'forge:mail', library, `forge:${library},own=yes`, `synth:${spec}`];
    const before = hashSources(names);
    expect(Object.keys(before)).toEqual([library, `forge:${library},own=yes`, `synth:${spec}`]);
    expect(before[`forge:${library},own=yes`]).toBe(before[library]);
    edit();
    expect(hashSources(names)[`synth:${spec}`]).not.toBe(before[`synth:${spec}`]);
    const own = join(folder, 'library.ts');
    writeFileSync(join(folder, 'tasks.jsonl'), `${JSON.stringify({ forged: 1, environment: `forge:${own}` })}\n`);
    const folderName = `forge:${folder}`;
    const first = hashSources([folderName])[folderName];
    writeFileSync(own, `${readFileSync(own, 'utf8')}\n`);
    expect(hashSources([folderName])[folderName]).not.toBe(first);
    expect(hashSources([`forge:${tasks}`])).toEqual({});
  });
});
