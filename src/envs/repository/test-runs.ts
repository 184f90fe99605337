import type { InitialFile } from '../terminal/sandbox/sandbox.ts';
import type { Check } from '../terminal/world/definition.ts';
import type { WorldState } from '../terminal/world/state.ts';
import type { World } from '../terminal/world/world.ts';
import type { Commit } from './history.ts';
import { isOfTests, projectFolder, type Project } from './project.ts';
import { resultsFile } from './runners.ts';

/** Test files that run together, and what lies over the project while they do. */
export interface TestGroup {
  readonly id: string;
  readonly tests: readonly string[];
  readonly files: readonly InitialFile[];
}

/** A project with so few test files is run whole. */
const fewTests = 12;
const mostNeighbours = 4;

/** The tests that a commit touches, and others that name a file which it changes. */
export function groupsOf(project: Project, commit: Commit, changed: readonly string[]): TestGroup[] {
  const { history, runner } = project;
  const tree = history.files(commit.id);
  const touched = tree.filter(({ path }) => changed.includes(path) && isOfTests(project, path));
  const own = touched.map(({ path }) => path).filter(runner.isTest);
  const before = new Set(history.files(commit.parent).map(({ path }) => path));
  const others = tree.filter(({ path }) => runner.isTest(path) && before.has(path) && !own.includes(path));
  const stems = changed
    .filter(path => !isOfTests(project, path))
    .map(path => (path.split('/').at(-1) ?? '').replace(/\.\w+$/, ''));
  const names = new RegExp(
    String.raw`[/."' ](?:${stems.map(stem => stem.replaceAll(/[^\w-]/g, String.raw`\$&`)).join('|')})\b`,
  );
  const near =
    others.length + own.length <= fewTests
      ? others
      : others.filter(({ content }) => names.test(String(content))).slice(0, mostNeighbours);
  const hidden = (tests: readonly string[], files: readonly InitialFile[]): InitialFile[] => [
    runner.program,
    ...files.map(file => ({
      ...file,
      path: `${projectFolder}/${file.path}`,
      ...(tests.includes(file.path) ? { content: runner.withCanary(String(file.content), file.path) } : {}),
    })),
  ];
  const rest = near.map(({ path }) => path);
  return [
    { id: 'tests-of-the-change', tests: own, files: hidden(own, touched) },
    ...(rest.length === 0 ? [] : [{ id: 'other-tests', tests: rest, files: hidden(rest, near) }]),
  ];
}

/** What becomes of each test, in no order. What tests leave in /tmp is removed. */
function command({ runner }: Project, { tests }: TestGroup, then: string): string {
  return `cd ~/${projectFolder}; (${runner.command(tests)}) > /tmp/.espalier-said 2>&1; touch ${resultsFile}; ${then}; rm -rf /tmp/* /tmp/.e*`;
}

export interface Results {
  /** Lines of the results; null when the tests were stopped. */
  readonly lines: ReadonlySet<string> | null;
  readonly said: string;
}

export async function runTests(
  project: Project,
  group: TestGroup,
  at: { readonly world: World; readonly state: WorldState },
): Promise<Results> {
  const laid = await at.world.withFiles(at.state, group.files);
  const { ran } = await at.world.run(
    { ...laid, place: at.world.start.place },
    { kind: 'run', command: command(project, group, `cat ${resultsFile}; echo; tail -c 600 /tmp/.espalier-said`) },
  );
  const output = ran.output.toString();
  const lines = output.split('\n').filter(line => /^(?:pass|fail)\t/.test(line));
  return { lines: ran.ended === 'itself' ? new Set(lines) : null, said: output.trim().slice(-300) };
}

/** Lines that say that every file of tests got as far as the test which must fail. */
export function canariesOf({ runner }: Project, { tests }: TestGroup): string[] {
  return tests.map(file => `fail\t${file}\t${runner.canary}`);
}

/** The check that all of these lines are among the results: it prints those that are not. */
export function checkOf(
  project: Project,
  group: TestGroup,
  { name, wanted }: { readonly name: string; readonly wanted: readonly string[] },
): Check {
  const list: InitialFile = { path: '.espalier/wanted', content: `${wanted.join('\n')}\n` };
  return {
    id: group.id,
    name,
    kind: 'run',
    command: command(project, group, `/usr/bin/grep -vxFf ${resultsFile} "$HOME/.espalier/wanted"`),
    output: '',
    files: [...group.files, list],
  };
}
