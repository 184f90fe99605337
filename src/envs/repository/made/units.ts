import type { Json } from '../../../core/json.ts';

/** A call with what it returns. */
interface Case {
  readonly given: readonly Json[];
  readonly returns: Json;
}

/** A function that a made project may have, in each language, and a mistake that somebody made in it. */
export interface Unit {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly about: string;
  /** What was wrong, for the message of the commit that mends it. */
  readonly trouble: string;
  readonly python: Source;
  readonly node: Source;
  /** Calls that are right with the mistake, too. */
  readonly plain: readonly Case[];
  /** Calls that show the mistake. */
  readonly telling: readonly Case[];
}

interface Source {
  readonly body: string;
  /** The mistake: a text of the body, and what stood there. */
  readonly mistake: readonly [right: string, wrong: string];
}

const of = (returns: Json, ...given: Json[]): Case => ({ given, returns });

const units: readonly Unit[] = [
  {
    name: 'slug',
    parameters: ['text'],
    about: 'The words of a text in lower case, joined by dashes.',
    trouble: 'slug keeps a dash where a text begins or ends with other signs',
    python: { body: `return re.sub('[^a-z0-9]+', '-', text.lower()).strip('-')`, mistake: [`.strip('-')`, ''] },
    node: {
      body: `return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');`,
      mistake: [`.replaceAll(/^-|-$/g, '')`, ''],
    },
    plain: [of('green-tea', 'Green  Tea'), of('a-1', 'A 1')],
    telling: [of('really', 'Really?!'), of('tea-time', '(Tea time)')],
  },
  {
    name: 'clamp',
    parameters: ['value', 'low', 'high'],
    about: 'A value, or the end of the range that it lies beyond.',
    trouble: 'clamp returns the wrong end for values above the range',
    python: {
      body: `if value < low:\n    return low\nif value > high:\n    return high\nreturn value`,
      mistake: ['    return high', '    return low'],
    },
    node: {
      body: `if (value < low) return low;\nif (value > high) return high;\nreturn value;`,
      mistake: ['return high;', 'return low;'],
    },
    plain: [of(3, 3, 1, 5), of(1, -2, 1, 5), of(5, 5, 1, 5)],
    telling: [of(5, 9, 1, 5), of(40, 41, 0, 40)],
  },
  {
    name: 'chunks',
    parameters: ['items', 'size'],
    about: 'Items in lists of a size; the last one has what is left.',
    trouble: 'chunks drops the items that do not fill a list',
    python: {
      body: `return [items[at:at + size] for at in range(0, len(items), size)]`,
      mistake: ['range(0, len(items), size)', 'range(0, len(items) - size + 1, size)'],
    },
    node: {
      body: `const found = [];\nfor (let at = 0; at < items.length; at += size) found.push(items.slice(at, at + size));\nreturn found;`,
      mistake: ['at < items.length;', 'at + size <= items.length;'],
    },
    plain: [
      of(
        [
          [1, 2],
          [3, 4],
        ],
        [1, 2, 3, 4],
        2,
      ),
      of([], [], 3),
    ],
    telling: [of([[1, 2], [3]], [1, 2, 3], 2), of([[7]], [7], 4)],
  },
  {
    name: 'totals',
    parameters: ['rows'],
    about: 'The sum of the amounts of each name.',
    trouble: 'totals counts only the last amount of a name',
    python: {
      body: `sums = {}\nfor name, amount in rows:\n    sums[name] = sums.get(name, 0) + amount\nreturn sums`,
      mistake: ['sums.get(name, 0) + amount', 'amount'],
    },
    node: {
      body: `const sums = {};\nfor (const [name, amount] of rows) sums[name] = (sums[name] ?? 0) + amount;\nreturn sums;`,
      mistake: ['(sums[name] ?? 0) + amount', 'amount'],
    },
    plain: [
      of({ ada: 2, ben: 3 }, [
        ['ada', 2],
        ['ben', 3],
      ]),
      of({}, []),
    ],
    telling: [
      of({ ada: 2 + 40 }, [
        ['ada', 2],
        ['ada', 40],
      ]),
    ],
  },
  {
    name: 'median',
    parameters: ['numbers'],
    about: 'The number in the middle of an odd count, the lower of the two of an even one.',
    trouble: 'median is wrong for numbers that are not in order',
    python: {
      body: `ordered = sorted(numbers)\nreturn ordered[(len(ordered) - 1) // 2]`,
      mistake: ['sorted(numbers)', 'list(numbers)'],
    },
    node: {
      body: `const ordered = numbers.toSorted((one, other) => one - other);\nreturn ordered[Math.floor((ordered.length - 1) / 2)];`,
      mistake: ['numbers.toSorted((one, other) => one - other)', '[...numbers]'],
    },
    plain: [of(2, [1, 2, 3]), of(2, [1, 2, 3, 4])],
    telling: [of(5, [9, 1, 5]), of(10, [10, 100, 9])],
  },
  {
    name: 'days_in_year',
    parameters: ['year'],
    about: 'The number of days of a year.',
    trouble: 'days_in_year takes every hundredth year for an ordinary one',
    python: {
      body: `leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\nreturn 366 if leap else 365`,
      mistake: ['(year % 100 != 0 or year % 400 == 0)', 'year % 100 != 0'],
    },
    node: {
      body: `const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);\nreturn leap ? 366 : 365;`,
      mistake: ['(year % 100 !== 0 || year % 400 === 0)', 'year % 100 !== 0'],
    },
    plain: [of(366, 2024), of(365, 2023), of(365, 1900)],
    telling: [of(366, 2000), of(366, 2400)],
  },
  {
    name: 'minutes',
    parameters: ['text'],
    about: 'The minutes of a duration such as 1h30m, 45m or 2h.',
    trouble: 'minutes forgets the hours of durations without minutes',
    python: {
      body: `found = re.fullmatch(r'(?:(\\d+)h)?(?:(\\d+)m)?', text)\nhours, rest = (int(part or 0) for part in found.groups())\nreturn hours * 60 + rest`,
      mistake: ['return hours * 60 + rest', 'return hours * 60 + rest if rest else 0'],
    },
    node: {
      body: `const [, hours = '0', rest = '0'] = /^(?:(\\d+)h)?(?:(\\d+)m)?$/.exec(text);\nreturn Number(hours) * 60 + Number(rest);`,
      mistake: [
        'return Number(hours) * 60 + Number(rest);',
        "return rest === '0' ? 0 : Number(hours) * 60 + Number(rest);",
      ],
    },
    plain: [of(90, '1h30m'), of(45, '45m')],
    telling: [of(120, '2h'), of(40 * 60, `40h`)],
  },
  {
    name: 'merged',
    parameters: ['ranges'],
    about: 'Ranges in order, with those that meet or overlap as one.',
    trouble: 'merged leaves ranges apart that begin where another ends',
    python: {
      body: `found = []\nfor start, end in sorted(ranges):\n    if found and start <= found[-1][1]:\n        found[-1][1] = max(found[-1][1], end)\n    else:\n        found.append([start, end])\nreturn found`,
      mistake: ['start <= found[-1][1]', 'start < found[-1][1]'],
    },
    node: {
      body: `const found = [];\nfor (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])) {\n  const last = found.at(-1);\n  if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);\n  else found.push([start, end]);\n}\nreturn found;`,
      mistake: ['start <= last[1]', 'start < last[1]'],
    },
    plain: [
      of(
        [
          [1, 4],
          [6, 8],
        ],
        [
          [6, 8],
          [1, 3],
          [2, 4],
        ],
      ),
      of([], []),
    ],
    telling: [
      of(
        [[1, 5]],
        [
          [1, 3],
          [3, 5],
        ],
      ),
    ],
  },
  {
    name: 'percent',
    parameters: ['part', 'whole'],
    about: 'A part of a whole in percent, cut to a whole number; of nothing it is 0.',
    trouble: 'percent fails when there is nothing to divide by',
    python: {
      body: `if whole == 0:\n    return 0\nreturn part * 100 // whole`,
      mistake: [`if whole == 0:\n    return 0\n`, ''],
    },
    node: {
      body: `if (whole === 0) return 0;\nreturn Math.floor((part * 100) / whole);`,
      mistake: ['if (whole === 0) return 0;\n', ''],
    },
    plain: [of(50, 1, 2), of(33, 1, 3), of(100, 40, 40)],
    telling: [of(0, 0, 0), of(0, 40, 0)],
  },
  {
    name: 'top',
    parameters: ['counts', 'most'],
    about: 'The names with the largest counts, those with equal counts by name.',
    trouble: 'top does not order names with equal counts',
    python: {
      body: `ordered = sorted(counts, key=lambda name: (-counts[name], name))\nreturn ordered[:most]`,
      mistake: ['(-counts[name], name)', '-counts[name]'],
    },
    node: {
      body: `const ordered = Object.keys(counts).sort((one, other) => counts[other] - counts[one] || (one < other ? -1 : 1));\nreturn ordered.slice(0, most);`,
      mistake: [' || (one < other ? -1 : 1)', ''],
    },
    plain: [of(['eva', 'ada'], { ada: 1, eva: 2 }, 2), of([], {}, 3)],
    telling: [of(['ada', 'eva'], { eva: 2, ada: 2 }, 2)],
  },
  {
    name: 'initials',
    parameters: ['name'],
    about: 'The first letters of a name in upper case, those of names with dashes as well.',
    trouble: 'initials leaves out what follows a dash',
    python: {
      body: `return ''.join(part[0].upper() for part in re.split('[ -]+', name))`,
      mistake: [`'[ -]+'`, `'[ ]+'`],
    },
    node: {
      body: `return name.split(/[ -]+/).map(part => part[0].toUpperCase()).join('');`,
      mistake: ['/[ -]+/', '/[ ]+/'],
    },
    plain: [of('AL', 'ada lovelace'), of('B', 'ben')],
    telling: [of('JPS', 'jean-paul sartre')],
  },
];

/** The functions; `limit` is a number of the project's own. */
export function unitsFor(limit: number): readonly Unit[] {
  const shipping: Unit = {
    name: 'shipping',
    parameters: ['total'],
    about: `What shipping costs: nothing from ${limit} on, else 4.`,
    trouble: `shipping is charged for orders of exactly ${limit}`,
    python: { body: `return 0 if total >= ${limit} else 4`, mistake: ['>=', '>'] },
    node: { body: `return total >= ${limit} ? 0 : 4;`, mistake: ['>=', '>'] },
    plain: [of(4, 1), of(0, limit + 1)],
    telling: [of(0, limit)],
  };
  return [...units, shipping];
}
