import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');
const node = join(bin, 'node');

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<'build' | 'prepack', string>;
};

describe('the package', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-package-'));
    // As `npm pack` builds it, but for the types: `npm test` has checked them.
    const build = scripts.build.replace('tsconfig.build.json', 'tsconfig.build.json --noCheck');
    await run('sh', ['-c', build], { cwd: root, env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` } });
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', args, { cwd: root });
    await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1) as string), '-C', folder]);
    // Its own dependencies are those of the checkout; what matters is that nothing of src is needed.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is built when it is packed', () => {
    expect(scripts.prepack).toBe('npm run build');
  });

  test('is what other tools expect', async () => {
    const { stdout } = await run(join(bin, 'publint'), ['--strict', '--pack', 'false', join(folder, 'package')]);
    expect(stdout).toContain('All good!');
  });

  test('[CLI-16] has neither studies nor benches nor adversarial suites', () => {
    const packed = readdirSync(join(folder, 'package'), { recursive: true, encoding: 'utf8' });
    expect(readdirSync(join(folder, 'package', 'dist'))).toEqual(['src']);
    expect(packed.filter(path => /(^|\/)(bench|studies|test|adversarial)\/|\.test\./.test(path))).toEqual([]);
    expect(packed).toContain(join('dist', 'src', 'index.d.ts'));
  });

  test.each([
    ['demo', 'demo'],
    ['study rl', 'study', 'rl', '--out', 'runs/never'],
    ['study wai', 'study', 'wai', 'apps', '--out', 'runs/never'],
    ['study races', 'study', 'races', '--out', 'runs/never'],
    ['bench', 'bench'],
  ])('[CLI-16] says that %s comes with the sources', async (verb, ...args) => {
    const cli = join(folder, 'package', 'bin', 'espalier.js');
    const failed = await run(node, [cli, ...args], { cwd: folder }).catch((cause: unknown) => cause);
    expect(failed).toMatchObject({ code: 2 });
    expect((failed as { stderr: string }).stderr).toContain(`espalier ${verb}\` comes with the sources`);
    expect((failed as { stderr: string }).stderr).toContain('npm run setup');
  });

  test('[SML-7] says what to install when the model small is not there', async () => {
    const cli = join(folder, 'package', 'bin', 'espalier.js');
    const args = [cli, 'eval', 'mail', '--student', 'small', '--out', 'never'];
    const failed = await run(node, args, { cwd: folder }).catch((cause: unknown) => cause);
    expect((failed as { stderr: string }).stderr).toMatch(
      /The model small is not installed\.\s+Install it .*npm install --ignore-scripts espalier-small onnxruntime-node@1\.30\.0/,
    );
  });

  test('[CLI-3] runs without its sources, on an app of a user', async () => {
    const app = join(folder, 'own.js');
    await writeFile(app, "export { app } from './skeleton.ts';\n");
    const cli = join(folder, 'package', 'bin', 'espalier.js');
    await run(node, [cli, 'new', 'app', 'skeleton', '--dir', folder]);
    const planned = await run(node, [cli, 'plan', app]);
    expect(planned.stdout).toMatch(/^passed /m);
    const listed = await run(node, [cli, 'envs']);
    expect(listed.stdout).toContain('tracker');
  });
});
