import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { families } from '../../catalog.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { collectRun } from '../collect.ts';
import { readConfig } from '../config/config.ts';
import { isElsewhere } from './families.ts';
import { absoluteName } from './names.ts';
import { findSource, openEnvironment, openStateEnvironment } from './open-environment.ts';
import { hashSources } from './source-hash.ts';

const root = join(import.meta.dirname, '../../..');
const sums = 'examples/plugins/sums.ts';
const folder = mkdtempSync(join(tmpdir(), 'espalier-families-'));
const notices: string[] = [];
const host = { ...createSystemHost({ workers: 0 }), onNotice: (text: string) => notices.push(text) };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const familyFiles = ['src/envs', 'src/forge'].flatMap(room =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter(name => /(^|[/\\])family\.ts$/.test(name))
    .map(name => join(room, name)),
);

describe('families of environments', () => {
  it('[RUN-46] stand in a file each, which the catalog lists', () => {
    const catalog = readFileSync(join(root, 'src/catalog.ts'), 'utf8');
    expect(familyFiles.length).toBeGreaterThan(15);
    expect(familyFiles.filter(file => !catalog.includes(`'./${file.slice('src/'.length)}'`))).toEqual([]);
    const names = families.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(familyFiles)('[RUN-46] %s loads no environment before it is asked for', file => {
    const text = readFileSync(join(root, file), 'utf8');
    const loaded = [...text.matchAll(/^import (?!type)[^;]*? from '([^']+)'/gm)].map(match => match[1] as string);
    const isLight = (name: string): boolean =>
      /^node:|\/core\/|\/modules\/|\/worlds\/family\.ts$|\/(world-options|page-family|forge-name)\.ts$/.test(name);
    expect(loaded.filter(name => !isLight(name))).toEqual([]);
  });

  it('[RUN-46] are opened from a module of the user’s by what follows a colon', async () => {
    const name = `${sums}:3`;
    expect(absoluteName(name)).toBe(`${resolve(sums)}:3`);
    expect(isElsewhere(name)).toBe(false);
    const environment = await openStateEnvironment(name, host);
    expect(environment.id).toBe('sums-3');
    expect((await openEnvironment(absoluteName(`${sums}:5`), { host })).id).toBe('sums-5');
    const hashes = hashSources([resolve(sums), absoluteName(name)]);
    expect(hashes[absoluteName(name)]).toBe(hashes[resolve(sums)]);
    await expect(findSource(`${sums}:many`)).rejects.toThrow('does not open "sums:many": "sums:many" is not 2 to 9');
    await expect(findSource(sums)).rejects.toThrow('it exports only family');
    await expect(findSource('examples/library/library.ts:3')).rejects.toThrow('exports `family`');
  });

  it('[RUN-46] from a module are collected on and resumed', async () => {
    const draft = {
      run: 'sums',
      environments: [absoluteName(`${sums}:2`)],
      instances: 1,
      strategy: { kind: 'linear' },
    };
    const options = { config: readConfig(draft, 'The run'), folder: join(folder, 'sums'), host };
    expect(await collectRun(options)).toMatchObject({ planned: 2, ended: 2 });
    expect(await collectRun(options)).toMatchObject({ ended: 0 });
  });

  it('[RUN-47] are read by the prefix of before, with a notice, and give the same tasks', async () => {
    const old = await openStateEnvironment('search:seed=7,documents=300', host);
    expect(notices.filter(text => text.includes('is called "retrieval:seed=7,documents=300" now'))).toHaveLength(1);
    const now = await openStateEnvironment('retrieval:seed=7,documents=300', host);
    expect(notices.filter(text => text.includes('is called'))).toHaveLength(1);
    const tasks = [old.task('one-hop', 1), now.task('one-hop', 1)];
    expect(tasks.map(({ id }) => id)).toEqual(['search-7-300/one-hop/1', 'search-7-300/one-hop/1']);
    expect(tasks.map(({ seal }) => seal)).toEqual([sealOfBefore, sealOfBefore]);
    expect(absoluteName('search:7')).toBe('search:7');
  });
});

/** Of the task as version 0.1 made it. */
const sealOfBefore = 'c3d99423bd01d2320aab9bc26819a671';
