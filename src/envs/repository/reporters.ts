/** A file that lies in `~/.espalier` while tests run. */
export function fileOf(name: string, content: string): { readonly path: string; readonly content: string } {
  return { path: `.espalier/${name}`, content };
}

/** Programs that write what became of each test, one line each: `pass` or `fail`, the file, the full name. */
export const nodeReporter = String.raw`
import { relative } from 'node:path';
import { cwd } from 'node:process';
const flat = text => String(text).replaceAll(/\s+/g, ' ').trim();
async function* report(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') { names.length = data.nesting; names[data.nesting] = data.name; }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' || data.skip !== undefined || data.todo !== undefined) continue;
    const name = [...names.slice(0, data.nesting), data.name].map(flat).join(' > ');
    const file = data.file === undefined ? '' : relative(cwd(), data.file);
    yield [type === 'test:pass' ? 'pass' : 'fail', file, name].join('\t') + '\n';
  }
}
export { report as default };
`;

/** Reads what vitest and jest write as JSON. */
export const resultsOfJson = String.raw`
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { argv, cwd } from 'node:process';
const [, , from, to] = argv;
const flat = text => String(text).replaceAll(/\s+/g, ' ').trim();
const { testResults } = JSON.parse(readFileSync(from, 'utf8'));
const lines = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ status, ancestorTitles, title }) =>
      [status === 'passed' ? 'pass' : 'fail', relative(cwd(), name), [...ancestorTitles, title].map(flat).join(' > ')].join('\t'),
    ),
);
writeFileSync(to, lines.map(line => line + '\n').join(''));
`;

export const unittestProgram = String.raw`
import importlib, os, sys, unittest

here = os.getcwd()


class Results(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.said = {}

    def say(self, test, word):
        if isinstance(test, unittest.TestCase) and not type(test).__module__.startswith('unittest'):
            file = os.path.relpath(sys.modules[type(test).__module__].__file__, here)
            self.said[(file, type(test).__name__ + '.' + test._testMethodName)] = word

    def addSuccess(self, test):
        self.say(test, 'pass')

    def addFailure(self, test, why):
        super().addFailure(test, why)
        self.say(test, 'fail')

    def addError(self, test, why):
        super().addError(test, why)
        self.say(test, 'fail')

    def addSubTest(self, test, part, why):
        super().addSubTest(test, part, why)
        if why is not None:
            self.say(test, 'fail')


out, files = sys.argv[1], sys.argv[2:]
sys.path[0:1] = [here] + ([os.path.join(here, 'src')] if os.path.isdir('src') else [])
results = Results()
for file in files:
    try:
        module = importlib.import_module(file[:-3].replace('/', '.'))
    except BaseException as error:
        print(file, type(error).__name__, error)
        continue
    unittest.defaultTestLoader.loadTestsFromModule(module).run(results)
for test, why in results.failures + results.errors:
    print(test, why)
with open(out, 'w') as to:
    for (file, name), word in results.said.items():
        to.write('\t'.join((word, file, name)) + '\n')
`;

export const pytestPlugin = String.raw`
import os

said = {}


def pytest_runtest_logreport(report):
    file, _, name = report.nodeid.partition('::')
    if report.failed:
        said[(file, name)] = 'fail'
    elif report.when == 'call' and report.passed:
        said.setdefault((file, name), 'pass')


def pytest_sessionfinish(session):
    with open(os.environ['ESPALIER_RESULTS'], 'w') as to:
        for (file, name), word in said.items():
            to.write('\t'.join((word, file, ' '.join(name.split()))) + '\n')
`;
