import { integer } from '../problems/types/numbers.ts';
import { at, defineForm, inAnyOrder } from './triple.ts';

const count = integer({ low: 0, high: 1_000_000_000 });
const bases = [...'ACGT'];

export const siteCount = defineForm<{ strand: string; site: string }>({
  name: 'site-count',
  domain: 'biology',
  output: count,
  draw(random, level) {
    const strand = Array.from({ length: at(level, [16, 32, 64]) }, () => random.pick(bases)).join('');
    const start = random.between(0, strand.length - 2);
    return { strand, site: strand.slice(start, start + 2) };
  },
  question: ({ strand, site }) =>
    `How often does ${site} stand in the DNA strand ${strand}, read from left to right, and in its reverse complement, in both together? Places may overlap. In the reverse complement the strand is reversed, A and T change places, and so do C and G.`,
  program: `import re
strand, site = data['strand'], data['site']
other = strand[::-1].translate(str.maketrans('ACGT', 'TGCA'))
print(sum(len(re.findall('(?=' + site + ')', one)) for one in (strand, other)))`,
  solve({ strand, site }) {
    // A site stands in the other strand where its own reverse complement stands in this one.
    const mirrored = [...site]
      .toReversed()
      .map(base => bases[3 - bases.indexOf(base)])
      .join('');
    let found = 0;
    for (let place = 0; place < strand.length; place++)
      found += Number(strand.startsWith(site, place)) + Number(strand.startsWith(mirrored, place));
    return found;
  },
});

const masses: Readonly<Record<string, number>> = { H: 1, C: 12, N: 14, O: 16, Na: 23, S: 32, K: 39, Ca: 40 };
const groups = ['OH', 'NO3', 'SO4', 'CH3', 'NH4', 'CO3'];

export const molarMass = defineForm<{ formula: string }>({
  name: 'molar-mass',
  domain: 'chemistry',
  output: count,
  draw(random, level) {
    const element = (): string => `${random.pick(Object.keys(masses))}${random.between(2, 9)}`;
    const group = (): string => `(${random.pick(groups)})${random.between(2, 6)}`;
    const nested = (): string => `(${element()}${group()})${random.between(2, 4)}`;
    const parts = at(level, [
      [element, group],
      [element, group, element, group],
      [element, nested, group, nested],
    ]);
    return { formula: parts.map(part => part()).join('') };
  },
  question: ({ formula }) =>
    `What is the molar mass of ${formula} in grams per mole, with the masses ${Object.entries(masses)
      .map(([element, mass]) => `${element} ${mass}`)
      .join(', ')}? A number behind a parenthesis counts for all that stands in it. Answer with the number alone.`,
  program: `import re
masses = ${JSON.stringify(masses)}
stack = [0]
for symbol, opening, closing, times in re.findall(r'([A-Z][a-z]?)(?=\\d*)|(\\()|(\\))|(\\d+)', data['formula']):
    if symbol:
        last = masses[symbol]
        stack[-1] += last
    elif opening:
        stack.append(0)
    elif closing:
        last = stack.pop()
        stack[-1] += last
    else:
        stack[-1] += last * (int(times) - 1)
print(stack[0])`,
  solve: ({ formula }) => massOf(formula),
});

/** Innermost groups first: each is replaced by its mass. */
function massOf(formula: string): number {
  const sumOf = (flat: string): number =>
    [...flat.matchAll(/([A-Z][a-z]?|\[\d+\])(\d*)/g)].reduce((sum, [, what = '', times]) => {
      const mass = what.startsWith('[') ? Number(what.slice(1, -1)) : (masses[what] as number);
      return sum + mass * Number(times || 1);
    }, 0);
  const inner = /\(([^()]*)\)/.exec(formula);
  if (inner === null) return sumOf(formula);
  const [whole, content = ''] = inner;
  return massOf(formula.replace(whole, `[${sumOf(content)}]`));
}

export const countModels = defineForm<{ letters: number; clauses: number[][] }>({
  name: 'count-models',
  domain: 'logic',
  output: count,
  draw(random, level) {
    const letters = at(level, [3, 5, 7]);
    const names = Array.from({ length: letters }, (_, index) => index + 1);
    const clauses = Array.from({ length: letters }, () =>
      random.sample(names, 3).map(name => (random.chance(0.5) ? name : -name)),
    );
    const data = { letters, clauses };
    return modelsOf(data) === 0 ? null : data;
  },
  canonical: ({ letters, clauses }) => [letters, inAnyOrder(clauses.map(inAnyOrder))],
  question: ({ letters, clauses }) =>
    `The letters ${[...'abcdefg'].slice(0, letters).join(', ')} are true or false. In how many ways do all of these hold? ${clauses
      .map(clause => clause.map(word => `${word < 0 ? 'not ' : ''}${'abcdefg'[Math.abs(word) - 1]}`).join(' or '))
      .join('; ')}.`,
  program: `def models(clauses, free):
    if [] in clauses:
        return 0
    if not clauses:
        return 2 ** free
    letter = abs(clauses[0][0])
    return sum(
        models([[one for one in clause if one != -word] for clause in clauses if word not in clause], free - 1)
        for word in (letter, -letter)
    )
print(models(data['clauses'], data['letters']))`,
  solve: data => modelsOf(data),
});

function modelsOf({ letters, clauses }: { letters: number; clauses: number[][] }): number {
  const holds = (row: number, word: number): boolean => (row >> (Math.abs(word) - 1)) % 2 === (word > 0 ? 1 : 0);
  const rows = Array.from({ length: 2 ** letters }, (_, row) => row);
  return rows.filter(row => clauses.every(clause => clause.some(word => holds(row, word)))).length;
}
