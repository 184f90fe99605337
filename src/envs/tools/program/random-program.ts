import type { Random } from '../../../core/random.ts';

/** What stands at a place of a random program, by type of its names. */
interface Names {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  /** Lists of functions without parameters. */
  readonly functions: readonly string[];
}

interface Writer {
  readonly random: Random;
  fresh(): string;
}

/**
 * A program by chance, in the part of JavaScript that tool worlds run. It uses what is easy to get wrong: order of
 * evaluation, names of each turn of a loop, names that are declared later, and arguments that are often left out.
 */
export function randomProgram(random: Random): string {
  let made = 0;
  const writer: Writer = { random, fresh: () => `v${made++}` };
  const names: Names = { numbers: ['n', 'i'], texts: ['s'], lists: ['a', 'b'], functions: ['f'] };
  const start = `let n = ${random.between(-3, 9)}; let i = 0; let s = ${text(random)}; const a = [3, 1, 2]; const b = [${list(random)}]; const f = [];`;
  const body = Array.from({ length: random.between(2, 6) }, () => statement(writer, names, 3)).join('\n');
  return `${start}\n${body}\nreturn { n, i, s, a, b, called: f.map(g => g()) };`;
}

function text(random: Random): string {
  return JSON.stringify(random.pick(['', 'a,b', 'undefined', 'abcabc', ' x ', 'null-1', 'B-a-B']));
}

function list(random: Random): string {
  return Array.from({ length: random.between(0, 3) }, () =>
    random.pick(['1', '2', '"x"', 'null', 'undefined', 'true']),
  ).join(', ');
}

type Part = (writer: Writer, names: Names, depth: number) => string;

function block(writer: Writer, names: Names, depth: number): string {
  const { random, fresh } = writer;
  const own = fresh();
  // A name that is declared inside may hide one outside, and is used before as well.
  const hides = random.chance(0.25) ? 'n' : own;
  const before = random.chance(0.2) ? `f.push(() => ${hides});` : '';
  const inner = { ...names, numbers: [...names.numbers, hides] };
  const lines = Array.from({ length: random.between(1, 2) }, () => statement(writer, inner, depth - 1));
  const early = random.chance(0.1) ? `${hides} += 1;` : '';
  return `{ ${early} ${before} let ${hides} = ${number(writer, names, 1)}; ${lines.join(' ')} }`;
}

const statements: readonly Part[] = [
  (writer, names) =>
    `${target(writer, names)} ${writer.random.pick(['=', '+=', '-=', '*='])} ${number(writer, names, 2)};`,
  (writer, names) => `${target(writer, names)}${writer.random.pick(['++', '--'])};`,
  (writer, names) => `n = ${number(writer, names, 3)};`,
  (writer, names) => `s += ${anyText(writer, names, 2)};`,
  (writer, names) =>
    `${writer.random.pick(names.lists)}.push(${number(writer, names, 2)}, ${anyText(writer, names, 1)});`,
  (writer, names) => `tool({ n: ${number(writer, names, 2)}, s: ${anyText(writer, names, 1)} });`,
  (writer, names) => `f.push(() => ${number(writer, names, 2)});`,
  (writer, names, depth) =>
    `if (${condition(writer, names)}) ${block(writer, names, depth)}${writer.random.chance(0.5) ? ` else ${block(writer, names, depth)}` : ''}`,
  (writer, names, depth) => {
    const [own, end] = [writer.fresh(), writer.random.between(1, 4)];
    const inner = { ...names, numbers: [...names.numbers, own] };
    const jump = writer.random.pick(['', '', `if (${own} === 1) continue;`, `if (${own} === 2) break;`]);
    const step = writer.random.pick([`${own}++`, `${own} += 1`]);
    return `for (let ${own} = 0; ${own} < ${end}; ${step}) { f.push(() => ${own}); ${jump} ${statement(writer, inner, depth - 1)} }`;
  },
  (writer, names, depth) => {
    const own = writer.fresh();
    return `for (const ${own} of ${writer.random.pick(['[1, 2]', 'a.slice(0, 2)', '[n, n]'])}) { f.push(() => ${own}); ${statement(writer, { ...names, numbers: [...names.numbers, own] }, depth - 1)} }`;
  },
  (writer, names, depth) => {
    const own = writer.fresh();
    return `let ${own} = 0; while (${own}++ < 3) ${block(writer, names, depth)}`;
  },
  (writer, names, depth) => {
    const own = writer.fresh();
    const body = `{ ${statement(writer, { ...names, numbers: [...names.numbers, 'x'] }, depth - 1)} return ${number(writer, { ...names, numbers: ['x'] }, 2)}; }`;
    return `n += ${own}(${number(writer, names, 1)}); function ${own}(x, y) ${body}`;
  },
];

function statement(writer: Writer, names: Names, depth: number): string {
  const simple = 7;
  const part = writer.random.pick(depth <= 0 ? statements.slice(0, simple) : statements);
  return part(writer, names, depth);
}

function target(writer: Writer, { numbers }: Names): string {
  return writer.random.pick([...numbers, 'a[0]', 'a[i++]', 'a[tool({ at: n }) ? 0 : 1]', 'a[(n = 1) - 1]']);
}

function number(writer: Writer, names: Names, depth: number): string {
  const { random } = writer;
  const leaf = (): string =>
    random.pick([...names.numbers, String(random.between(-2, 12)), 'a[0]', 'a.length', 's.length']);
  if (depth <= 0) return leaf();
  const part = (): string => number(writer, names, depth - 1);
  return random.pick<() => string>([
    leaf,
    () => `(${part()} ${random.pick(['+', '-', '*', '%'])} ${part()})`,
    () => `(n = ${part()})`,
    () => `(n ${random.pick(['+=', '-='])} ${part()})`,
    () => `${random.pick(['i++', '++i', 'n--', '--n'])}`,
    () => `(${condition(writer, names)} ? ${part()} : ${part()})`,
    () => `s.indexOf(${anyText(writer, names, 0)}${maybe(random, `, ${random.between(-2, 4)}`)})`,
    () => `${random.pick(names.lists)}.indexOf(${part()}${maybe(random, ', 1')})`,
    () => `${random.pick(names.lists)}.push(${part()})`,
    () => `(a.find((x, at, all) => x + at > all.length) ?? -1)`,
    () => `a.map((x, at, all) => x * ${part()}).length`,
    () => `((x, y) => x - ${part()})(${part()})`,
  ])();
}

function anyText(writer: Writer, names: Names, depth: number): string {
  const { random } = writer;
  const leaf = (): string => random.pick(['s', text(random)]);
  if (depth <= 0) return leaf();
  const part = (): string => anyText(writer, names, depth - 1);
  const items = random.pick(names.lists);
  return random.pick<() => string>([
    leaf,
    () => `(${part()} + ${number(writer, names, 1)})`,
    () => `\`${'${'}${part()}} ${'${'}${number(writer, names, 1)}}\``,
    () => `${items}.join(${random.pick(['', '"-"', 'null', 'undefined'])})`,
    () => `${items}.concat(${random.pick(['', '1', '[2], [3]', 'null, [undefined]'])}).join()`,
    () => `${part()}.slice(${random.pick(['', '1', '-2', '0, 2', 'undefined, 3'])})`,
    () => `${part()}.split(${random.pick(['', '","', '""', 'undefined', '"a", 1', '"", 2', 'null'])}).join("|")`,
    () => `(${part()}.includes(${leaf()}${maybe(random, ', 1')}) ? "in" : "out")`,
    () => `(${part()}.startsWith(${leaf()}${maybe(random, ', 2')}) ? "start" : "none")`,
    () => `(${part()}.endsWith(${leaf()}${maybe(random, ', 3')}) ? "end" : "none")`,
    () => `${part()}.trim().toUpperCase()`,
    () => `${items}.filter((x, at) => at !== ${random.between(0, 2)}).join("+")`,
    () => `(${items}[${random.between(0, 3)}] ?? "none") + ""`,
    () => `(typeof ${items}[${random.between(0, 3)}])`,
  ])();
}

function condition(writer: Writer, names: Names): string {
  const { random } = writer;
  return random.pick<() => string>([
    () =>
      `${number(writer, names, 1)} ${random.pick(['<', '<=', '>', '>=', '===', '!=='])} ${number(writer, names, 1)}`,
    () => `${anyText(writer, names, 1)} < ${anyText(writer, names, 1)}`,
    () =>
      `!${number(writer, names, 1)} || ${random.pick(names.lists)}.includes(${number(writer, names, 0)}${maybe(random, ', 1')})`,
    () => `tool({ n }) && ${number(writer, names, 1)} > 2`,
  ])();
}

function maybe(random: Random, more: string): string {
  return random.chance(0.4) ? more : '';
}
