import { createRandom, type Random } from '../../../core/random.ts';
import type { Json } from '../../../core/json.ts';
import { unitsFor, type Unit } from './units.ts';

export const madeLanguages = ['python', 'node'] as const;
export type MadeLanguage = (typeof madeLanguages)[number];

/** A commit of a made project: all of its files. */
export interface MadeCommit {
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
  /** Whether tests fail before it and pass after it. */
  readonly isTask: boolean;
}

export interface MadeProjectOptions {
  readonly seed: number;
  readonly language: MadeLanguage;
}

/** A unit as it stands in the project. */
interface Placed {
  readonly unit: Unit;
  readonly module: string;
  isBroken: boolean;
  /** Whether the calls that show its mistake are among the tests. */
  isTold: boolean;
}

interface State {
  readonly name: string;
  readonly language: MadeLanguage;
  readonly placed: Placed[];
  notes: string[];
}

const modules = ['orders', 'texts', 'figures', 'reports', 'parts', 'plans'];

/** A small project with a history of features and mended mistakes, and of commits that are neither: the same seed gives the same one. */
export function madeProject({ seed, language }: MadeProjectOptions): MadeCommit[] {
  const random = createRandom(`made project ${seed}`);
  const waiting = random.shuffle([...unitsFor(random.between(20, 90))]);
  const state: State = {
    name: random.pick(['ledger', 'depot', 'atlas', 'quill', 'harvest']),
    language,
    placed: [],
    notes: [],
  };
  const chosen = random.sample(modules, 3);
  const place = (isBroken: boolean): Unit => {
    const unit = waiting.pop() as Unit;
    state.placed.push({ unit, module: random.pick(chosen), isBroken, isTold: !isBroken });
    return unit;
  };
  for (let at = 0; at < 3; at++) place(at > 0);
  const made: MadeCommit[] = [{ message: 'Begin', files: filesOf(state), isTask: false }];
  for (;;) {
    const event = nextEvent(state, { random, waiting: waiting.length, place });
    if (event === null) return made;
    made.push({ ...event, files: filesOf(state) });
  }
}

interface Events {
  readonly random: Random;
  readonly waiting: number;
  place(isBroken: boolean): Unit;
}

function nextEvent(state: State, { random, waiting, place }: Events): Pick<MadeCommit, 'message' | 'isTask'> | null {
  const broken = random.shuffle(state.placed.filter(({ isBroken }) => isBroken));
  const kinds = [
    ...(waiting > 0 ? ['feature', 'feature', 'broken feature'] : []),
    ...(broken.length > 0 ? ['mend', 'mend'] : []),
    ...(broken.length > 1 ? ['mend two'] : []),
    ...(state.notes.length < 3 ? ['note'] : []),
  ];
  if (waiting === 0 && broken.length === 0) return null;
  const kind = random.pick(kinds);
  if (kind === 'note') {
    state.notes = [
      ...state.notes,
      `Note ${state.notes.length + 1}: ${random.pick(['written in the evening', 'ask before you add a dependency', 'every function has tests'])}.`,
    ];
    return { message: 'Add a note', isTask: false };
  }
  if (kind.endsWith('feature')) {
    const isBroken = kind !== 'feature';
    const { name, about } = place(isBroken);
    return { message: `Add ${nameIn(state.language, name)}\n\n${about}`, isTask: true };
  }
  const mended = broken.slice(0, kind === 'mend' ? 1 : 2);
  for (const each of mended) Object.assign(each, { isBroken: false, isTold: true });
  const troubles = mended.map(({ unit }) => unit.trouble.replace(unit.name, nameIn(state.language, unit.name)));
  return {
    message: `Mend ${mended.map(({ unit }) => nameIn(state.language, unit.name)).join(' and ')}\n\n${troubles.join('.\n')}.`,
    isTask: true,
  };
}

function nameIn(language: MadeLanguage, name: string): string {
  return language === 'python' ? name : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function filesOf(state: State): Record<string, string> {
  const { name, language, placed, notes } = state;
  const byModule = [...Map.groupBy(placed, ({ module }) => module)];
  const listed = placed.map(
    ({ unit }) => `- \`${nameIn(language, unit.name)}(${unit.parameters.join(', ')})\`: ${unit.about}`,
  );
  const readme = [`# ${name}`, '', ...listed, '', ...notes, ''].join('\n');
  const write = language === 'python' ? pythonFiles : nodeFiles;
  return { 'README.md': readme, ...write(name, byModule) };
}

function bodyOf({ unit, isBroken }: Placed, language: MadeLanguage): string {
  const { body, mistake } = unit[language];
  return isBroken ? body.replace(mistake[0], () => mistake[1]) : body;
}

function casesOf({ unit, isTold }: Placed): Unit['plain'] {
  return isTold ? [...unit.plain, ...unit.telling] : unit.plain;
}

const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

type Modules = readonly (readonly [string, readonly Placed[]])[];

function pythonFiles(name: string, all: Modules): Record<string, string> {
  const value = (given: Json): string => JSON.stringify(given);
  const files: Record<string, string> = {
    'pyproject.toml': `[project]\nname = "${name}"\nversion = "1.0"\n`,
    [`${name}/__init__.py`]: all
      .map(([module, placed]) => `from .${module} import ${placed.map(({ unit }) => unit.name).join(', ')}\n`)
      .join(''),
  };
  for (const [module, placed] of all) {
    const functions = placed.map(
      each =>
        `def ${each.unit.name}(${each.unit.parameters.join(', ')}):\n    """${each.unit.about}"""\n${indented(bodyOf(each, 'python'), '    ')}\n`,
    );
    files[`${name}/${module}.py`] = `import re\n\n\n${functions.join('\n\n')}`;
    const tests = placed.flatMap(each =>
      casesOf(each).map(
        ({ given, returns }, at) =>
          `    def test_${each.unit.name}_${at + 1}(self):\n        self.assertEqual(${name}.${each.unit.name}(${given.map(value).join(', ')}), ${value(returns)})\n`,
      ),
    );
    files[`tests/test_${module}.py`] =
      `import unittest\n\nimport ${name}\n\n\nclass ${module[0]?.toUpperCase() ?? ''}${module.slice(1)}(unittest.TestCase):\n${tests.join('\n')}`;
  }
  return files;
}

function nodeFiles(name: string, all: Modules): Record<string, string> {
  const camel = ({ unit }: Placed): string => nameIn('node', unit.name);
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js', scripts: { test: 'node --test' } }, null, 2)}\n`,
    'index.js': all
      .map(([module, placed]) => `export { ${placed.map(camel).join(', ')} } from './lib/${module}.js';\n`)
      .join(''),
  };
  for (const [module, placed] of all) {
    files[`lib/${module}.js`] = placed
      .map(
        each =>
          `/** ${each.unit.about} */\nexport function ${camel(each)}(${each.unit.parameters.join(', ')}) {\n${indented(bodyOf(each, 'node'), '  ')}\n}\n`,
      )
      .join('\n');
    const tests = placed.flatMap(each =>
      casesOf(each).map(
        ({ given, returns }, at) =>
          `test('${camel(each)} ${at + 1}', () => {\n  assert.deepEqual(all.${camel(each)}(${given.map(one => JSON.stringify(one)).join(', ')}), ${JSON.stringify(returns)});\n});\n`,
      ),
    );
    files[`test/${module}.test.js`] =
      `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport * as all from '../index.js';\n\n${tests.join('\n')}`;
  }
  return files;
}
