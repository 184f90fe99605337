import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const read = (file: string): string => readFileSync(join(dirname(import.meta.dirname), file), 'utf8');

it('npm, Python and the changelog name one version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  const found = [
    lock.version,
    lock.packages['']?.version,
    /^version = "(.+)"$/m.exec(read('python/pyproject.toml'))?.[1],
    /^__version__ = "(.+)"$/m.exec(read('python/espalier/__init__.py'))?.[1],
    /^## (\d.+)$/m.exec(read('CHANGELOG.md'))?.[1],
  ];
  expect(found).toEqual(found.map(() => version));
});
