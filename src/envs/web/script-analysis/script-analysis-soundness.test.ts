import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyseScript } from './script-analysis.ts';

const names = ['a', 'b', 'c', 'd'] as const;

/** Decides what comes next in a program; shorter and smaller choices give simpler programs. */
interface Choices {
  next(count: number): number;
  name(): string;
}

function createChoices(tape: readonly number[]): Choices {
  let at = 0;
  const next = (count: number): number => (tape[at++] ?? 0) % count;
  return { next, name: () => names[next(names.length)] as string };
}

/** Ways to assign to a variable. Every value is a new one, so that every assignment shows. */
const assignments: readonly ((name: string) => string)[] = [
  x => `${x} = $new()`,
  x => `${x} += $new()`,
  x => `${x}++`,
  x => `--${x}`,
  x => `${x} ??= $new()`,
  x => `${x} ||= $new()`,
  x => `${x} &&= $new()`,
  x => `[${x}] = [$new()]`,
  x => `[[, ${x} = $new()]] = [[]]`,
  x => `[...${x}] = [$new()]`,
  x => `({ ${x} } = { ${x}: $new() })`,
  x => `({ ${x} = $new() } = {})`,
  x => `({ k: { l: ${x} } } = { k: { l: $new() } })`,
  x => `({ ...${x} } = { k: $new() })`,
  x => `((p = (${x} = $new())) => p)()`,
  x => `new (class { f = (${x} = $new()); static { ${x} = $new(); } [${x}++]() {} })()`,
  x => `[1].forEach(() => (${x} = $new()))`,
  x => `delete ${x}`,
  x => `\`\${${x} = $new()}\``,
  x => `$later(() => { ${x} = $new(); })`,
  x => `$later(async () => { await 0; try { [${x}] = [$new()]; } catch {} })`,
];

type Write = (x: string, body: (before?: string) => string) => string;

/** Statements; those that can throw stand in a `try`. The text given to `body` comes first in the block. */
const statements: readonly Write[] = [
  x => `let ${x} = $new();`,
  x => `const ${x} = $new();`,
  x => `let ${x};`,
  x => `var ${x} = $new();`,
  x => `var ${x};`,
  x => `let { k: ${x} = $new() } = {};`,
  x => `var [${x}] = [$new()];`,
  x => `class ${x} { static m() { return ${x}; } }`,
  (x, body) => `function ${x}(p) ${body()}`,
  (x, body) => `{ function ${x}() {} ${body()} }`,
  x => `if (true) function ${x}() {}`,
  (_x, body) => body(),
  (x, body) => `for (const ${x} of [$new(), $new()]) ${body()}`,
  (x, body) => `for (let ${x} = 0; ${x} < 2 && $goOn(); ${x}++) ${body()}`,
  (x, body) => `for (var ${x} in { k: 1, l: 2 }) ${body()}`,
  (x, body) => `for (var [${x}] of [[$new()], [$new()]]) ${body()}`,
  (x, body) => `try { for (${x} of [$new(), $new()]) ${body()} } catch {}`,
  (x, body) => `try { for (${x} in { k: 1, l: 2 }) ${body()} } catch {}`,
  (x, body) => `try { for ([${x}] of [[$new()]]) ${body()} } catch {}`,
  (x, body) => `try { throw $new(); } catch (${x}) ${body()}`,
  (x, body) => `try { throw $new(); } catch (${x}) ${body(`var ${x} = $new();`)}`,
  (x, body) => `try { throw { k: $new() }; } catch ({ k: ${x} }) ${body()}`,
  (x, body) => `((${x}) => ${body()})($new());`,
  (x, body) => `(function (${x}, q) ${body('arguments[0] = $new();')})($new(), 1);`,
  (x, body) => `(function (${x}) ${body('$later(() => { arguments[0] = $new(); });')})($new());`,
  (x, body) => `(function (${x} = $new(), q = () => ${x}) ${body()})();`,
  (x, body) => `(function ${x}(p) ${body()})();`,
  (x, body) => `(function (${x}) ${body(`function ${x}() {}`)})($new());`,
  (_x, body) => `(async () => ${body('await 0;')})().catch(() => 0);`,
  (_x, body) => `$later(() => ${body()});`,
  (_x, body) => `switch (1) { case 1: ${body()} }`,
  (_x, body) => `new (class { m = (() => ${body()})(); static ${body()} })();`,
];

/** After these, any name can be assigned to: there is little left to check, so they are rare. */
const dynamic: readonly Write[] = [
  x => `try { eval("${x} = $new()"); } catch {}`,
  (x, body) => `with ({ ${x}: $new() }) ${body()}`,
];

/** Writes a program; `probe` is put between all statements. */
function writeProgram(tape: readonly number[], probe: string): string {
  const choices = createChoices(tape);
  const writers = choices.next(8) === 1 ? [...statements, ...dynamic] : statements;
  const list = (depth: number, before = ''): string => {
    const lines = Array.from({ length: 1 + choices.next(4) }, () => statement(depth));
    return [before, ...lines].flatMap(line => [probe, line]).join('\n') + `\n${probe}`;
  };
  const statement = (depth: number): string => {
    const isAssignment = depth > 3 || choices.next(2) === 0;
    const x = choices.name();
    if (isAssignment) return `try { ${assignments[choices.next(assignments.length)]?.(x)}; } catch {}`;
    const write = writers[choices.next(writers.length)] as Write;
    return write(x, before => `{ ${list(depth + 1, before)} }`);
  };
  return list(0);
}

const probe = `$see($number, ${names.map(name => `() => ${name}`).join(', ')});`;

/** A program whose probes are numbered. */
function numbered(source: string): string {
  let number = 0;
  return source.replaceAll('$number', () => String(number++));
}

interface Seen {
  readonly name: string;
  readonly get: () => unknown;
  readonly value: unknown;
  /** The probe that saw it, by its number. */
  readonly probe: number;
  /** Whether the global object had it: no scope need have it then. */
  readonly isGlobal: boolean;
}

/** Runs a program; the answer has the variables that changed after a closure had seen them with a value. */
async function changedIn(script: Script): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const waiting: (() => unknown)[] = [];
  let [made, left] = [1000, 300];
  const $see = (number: number, ...getters: readonly (() => unknown)[]): void => {
    for (const [index, get] of getters.entries()) {
      const read = tryTo(get);
      const name = names[index] as string;
      const isGlobal = Object.hasOwn(context, name);
      if (read !== null) seen.push({ name, get, value: read.value, probe: number, isGlobal });
    }
  };
  const context: object = createContext({
    $see,
    $new: () => ++made,
    $goOn: () => --left > 0,
    $later: (run: () => unknown) => waiting.length < 40 && waiting.push(run),
  });
  script.runInContext(context, { timeout: 5000 });
  // Twice: what was kept between two events is where a snapshot can lie.
  for (let round = 0; round < 2; round++) for (const run of waiting) tryTo(run);
  await new Promise(resolve => setImmediate(resolve));
  return seen.filter(({ get, value }) => !Object.is(tryTo(get)?.value, value));
}

/** What was not yet declared throws. */
function tryTo(run: () => unknown): { readonly value: unknown } | null {
  try {
    return { value: run() };
  } catch {
    return null;
  }
}

function compile(source: string): Script | null {
  try {
    return new Script(source);
  } catch {
    return null;
  }
}

it('[SITE-19] finds every variable that random programs change', async () => {
  const changes = new Map<string, number>();
  let [run, unbounded] = [0, 0];
  const tapes = fc.array(fc.nat(5000), { minLength: 10, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(tapes, async tape => {
      const script = compile(numbered(writeProgram(tape, probe)));
      const { assigned } = analyseScript(writeProgram(tape, ''), 'script');
      // What the browser does not compile never runs.
      if (script === null) return;
      run++;
      if (assigned === null) unbounded++;
      for (const name of new Set((await changedIn(script)).map(one => one.name))) {
        changes.set(name, (changes.get(name) ?? 0) + 1);
        expect(assigned === null || assigned.has(name), `${name} changed`).toBe(true);
      }
    }),
    { numRuns: 250 },
  );
  expect(run - unbounded).toBeGreaterThan(50);
  expect(Math.min(...names.map(name => changes.get(name) ?? 0))).toBeGreaterThan(10);
});

it('[SITE-131] resolves every variable that random programs change, as each function sees it', async () => {
  let [changes, constants] = [0, 0];
  const tapes = fc.array(fc.nat(5000), { minLength: 10, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(tapes, async tape => {
      const source = numbered(writeProgram(tape, probe));
      const [script, { bindings, callsEval }] = [compile(source), analyseScript(source, 'script')];
      if (script === null || bindings === null || callsEval) return;
      const namesFor = ({ probe: number, name }: Seen) => {
        const before = source.slice(0, source.indexOf(`() => ${name}`, source.indexOf(`$see(${number},`))).split('\n');
        return bindings.at(before.length - 1, before.at(-1)?.length ?? 0)?.told;
      };
      for (const one of await changedIn(script)) {
        const found = namesFor(one);
        const isResolved = found?.uses.includes(one.name) === true;
        expect(isResolved || one.isGlobal, `${one.name} of probe ${one.probe} is resolved`).toBe(true);
        // Nothing in a variable may be followed by its one value; what stands at the top is known by name.
        if (!isResolved || one.value === undefined || found.atTop.includes(one.name)) continue;
        changes++;
        expect(found.assigned, `${one.name} of probe ${one.probe} changes`).toContain(one.name);
      }
      constants += countConstants(source, bindings);
    }),
    { numRuns: 250 },
  );
  expect(changes).toBeGreaterThan(200);
  // It does not say of everything that it changes.
  expect(constants).toBeGreaterThan(20);
});

function countConstants(source: string, bindings: NonNullable<ReturnType<typeof analyseScript>['bindings']>): number {
  return source.split('\n').reduce((count, line, index) => {
    const found = line.startsWith('$see(') ? bindings.at(index, line.indexOf('() => a'))?.told : null;
    return found?.uses.includes('a') === true && !found.assigned?.includes('a') ? count + 1 : count;
  }, 0);
}
