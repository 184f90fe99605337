import { fileOf, nodeReporter, pytestPlugin, resultsOfJson, unittestProgram } from './reporters.ts';

/** A way to run the tests of a project, test by test. */
export interface Runner {
  readonly name: 'node' | 'vitest' | 'jest' | 'unittest' | 'pytest';
  isTest(path: string): boolean;
  /** A shell command that runs these files in the folder of the project, and writes what became of each test. */
  command(files: readonly string[]): string;
  /** The file with a test after its own that must fail: who fakes results does not know it. */
  withCanary(content: string, path: string): string;
  /** Its full name, as results have it. */
  readonly canary: string;
  /** The program that writes results, which lies beside the project while tests run. */
  readonly program: { readonly path: string; readonly content: string };
}

/** Where results are written, one line for each test: outcome, file, name. */
export const resultsFile = '/tmp/.espalier-results';
const canaryWord = 'espalier canary';

const scriptFile = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const isScriptTest = (path: string): boolean =>
  scriptFile.test(path) &&
  (/(?:^|[./_-])(?:test|spec)\.\w+$/.test(path) || /(?:^|\/)(?:tests?|__tests__)\/[^/]+$/.test(path));
const isPythonTest = (path: string): boolean => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path);

function quoted(files: readonly string[]): string {
  return files.map(file => `'${file.replaceAll("'", String.raw`'\''`)}'`).join(' ');
}

const pythonCanary = `\n\nimport unittest as _espalier\n\n\nclass EspalierCanary(_espalier.TestCase):\n    def test_canary(self):\n        self.assertEqual(1, 2)\n`;

function isModule(content: string, path: string): boolean {
  return /\.(?:mjs|mts|ts|tsx)$/.test(path) || /^\s*(?:import|export)\b[^(]/m.test(content);
}

const node: Runner = {
  name: 'node',
  isTest: isScriptTest,
  program: fileOf('node-reporter.mjs', nodeReporter),
  canary: canaryWord,
  command: files =>
    `node --test --test-reporter="$HOME/.espalier/node-reporter.mjs" --test-reporter-destination=${resultsFile} ${quoted(files)}`,
  withCanary: (content, path) =>
    isModule(content, path)
      ? `${content}\nimport { test as espalierTest } from 'node:test';\nimport espalierAssert from 'node:assert';\nespalierTest('${canaryWord}', () => espalierAssert.equal(1, 2));\n`
      : `${content}\nrequire('node:test').test('${canaryWord}', () => require('node:assert').equal(1, 2));\n`,
};

const json = '/tmp/.espalier-results.json';
const asLines = `; node "$HOME/.espalier/results.mjs" ${json} ${resultsFile}`;

const vitest: Runner = {
  name: 'vitest',
  isTest: isScriptTest,
  program: fileOf('results.mjs', resultsOfJson),
  canary: canaryWord,
  command: files => `vitest run --reporter=json --outputFile=${json} ${quoted(files)}${asLines}`,
  withCanary: content =>
    `${content}\nimport { expect as espalierExpect, it as espalierIt } from 'vitest';\nespalierIt('${canaryWord}', () => espalierExpect(1).toBe(2));\n`,
};

const jest: Runner = {
  ...vitest,
  name: 'jest',
  command: files => `jest --json --outputFile=${json} --runTestsByPath ${quoted(files)}${asLines}`,
  withCanary: content => `${content}\ntest('${canaryWord}', () => { expect(1).toBe(2); });\n`,
};

const unittest: Runner = {
  name: 'unittest',
  isTest: isPythonTest,
  program: fileOf('run_tests.py', unittestProgram),
  canary: 'EspalierCanary.test_canary',
  command: files => `python3 "$HOME/.espalier/run_tests.py" ${resultsFile} ${quoted(files)}`,
  withCanary: content => `${content}${pythonCanary}`,
};

const pytest: Runner = {
  ...unittest,
  name: 'pytest',
  program: fileOf('espalier_results.py', pytestPlugin),
  canary: 'EspalierCanary::test_canary',
  command: files =>
    `ESPALIER_RESULTS=${resultsFile} PYTHONPATH="$HOME/.espalier" python3 -m pytest -q -p espalier_results -p no:cacheprovider ${quoted(files)}`,
};

/** What the files of a project say of how it is tested; null when nothing is known. */
export function findRunner(paths: readonly string[], read: (path: string) => string | null): Runner | null {
  const manifest = read('package.json');
  if (manifest !== null) {
    const said = manifest.slice(0, mostRead);
    for (const runner of [vitest, jest]) if (new RegExp(`\\b${runner.name}\\b`).test(said)) return runner;
    if (paths.some(isScriptTest)) return node;
  }
  if (!paths.some(isPythonTest)) return null;
  const settings = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'pytest.ini', 'requirements-dev.txt'].map(read);
  const asksPytest = settings.some(text => text !== null && /\bpytest\b/.test(text)) || paths.includes('pytest.ini');
  return asksPytest ? pytest : unittest;
}

const mostRead = 200_000;

/** Files that decide how tests run: who changes them changes the verdict. */
export const runnerSettings: readonly string[] = [
  'package.json',
  'vitest.config.*',
  'vite.config.*',
  'jest.config.*',
  'pytest.ini',
  'tox.ini',
  'setup.cfg',
  'pyproject.toml',
  '**/conftest.py',
  '**/sitecustomize.py',
  '**/usercustomize.py',
];
