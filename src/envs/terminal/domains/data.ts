import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { lines, names, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const dataTemplates: readonly TerminalTemplate[] = [
  { id: 'data/join-tables', split: 'train', about: 'Join two tables of text.', draw: joinTables },
  { id: 'data/mend-rows', split: 'train', about: 'Drop bad rows and double ones.', draw: mendRows },
  {
    id: 'data/query-sqlite',
    split: 'train',
    about: 'Ask and change a database.',
    needs: ['sqlite3'],
    draw: querySqlite,
  },
  { id: 'data/pivot', split: 'test', about: 'Turn rows into a table.', draw: pivot },
];

function joinTables(random: Random): TerminalTask {
  const out = word(random);
  const people = names(random, random.between(4, 6)).map((name, at) => ({
    id: 100 + at * 7 + random.between(0, 5),
    name,
  }));
  const orders = Array.from({ length: random.between(6, 12) }, () => ({
    id: random.pick([...people, { id: 999, name: '' }]).id,
    amount: random.between(1, 90),
  }));
  const sums = people
    .map(
      ({ id, name }) =>
        [name, orders.filter(order => order.id === id).reduce((sum, { amount }) => sum + amount, 0)] as const,
    )
    .filter(([, sum]) => sum > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const join = `awk -F, 'FNR == 1 { next } NR == FNR { name[$1] = $2; next } $1 in name { sum[name[$1]] += $2 } END { for (n in sum) print n "," sum[n] }' people.csv orders.csv`;
  return {
    instruction: `people.csv has the columns id and name, orders.csv the columns id and amount. Write ${out}.csv with the header name,sum and a line for every person with orders: the name and the sum of the amounts, sorted by name. Orders of unknown ids do not count.`,
    files: [
      {
        path: 'people.csv',
        content: lines(['id,name', ...random.shuffle(people).map(({ id, name }) => `${id},${name}`)]),
      },
      { path: 'orders.csv', content: lines(['id,amount', ...orders.map(({ id, amount }) => `${id},${amount}`)]) },
    ],
    checks: [textCheck(`${out}.csv`, lines(['name,sum', ...sums.map(([name, sum]) => `${name},${sum}`)]))],
    allow: [`${out}.csv`],
    oracle: [`echo name,sum > ${out}.csv`, `${join} | LC_ALL=C sort >> ${out}.csv`],
    mutants: [
      [`echo name,sum > ${out}.csv`, `${join} | LC_ALL=C sort -r >> ${out}.csv`],
      [`echo sum,name > ${out}.csv`, `${join} | LC_ALL=C sort >> ${out}.csv`],
      [`echo name,sum > ${out}.csv`, `${join.replace('+= $2', '= $2 + 1')} | LC_ALL=C sort >> ${out}.csv`],
    ],
  };
}

function mendRows(random: Random): TerminalTask {
  const out = word(random);
  const rows = words(random, random.between(4, 8)).map(
    item => `${item};${random.between(1, 99)};${random.pick(['kg', 'm', 'l'])}`,
  );
  const bad = words(random, 3).map((item, at) => [`${item};;kg`, `${item};many;m`, `${item};-3`][at] as string);
  const [twice] = rows as [string];
  const mixed = [...rows, ...bad].flatMap(row => (row === twice ? [row, row] : [row]));
  const order = random.shuffle(mixed);
  const seen = new Set<string>();
  const good = order.filter(row => rows.includes(row) && !seen.has(row) && seen.add(row));
  const rejected = order.filter(row => bad.includes(row));
  const isGood = '^[^;]+;[0-9]+;[a-z]+$';
  return {
    instruction: `A good row of stock.txt is a name, a whole number without a sign and a unit of small letters, with ; between them. Write the good rows to ${out}.txt in their order, each only where it comes first. Write the rows that are not good to rejected.txt, in their order.`,
    files: [{ path: 'stock.txt', content: lines(order) }],
    checks: [textCheck(`${out}.txt`, lines(good)), textCheck('rejected.txt', lines(rejected))],
    allow: [`${out}.txt`, 'rejected.txt'],
    oracle: [
      `grep -E '${isGood}' stock.txt | awk '!seen[$0]++' > ${out}.txt`,
      `grep -vE '${isGood}' stock.txt > rejected.txt`,
    ],
    mutants: [
      [`grep -E '${isGood}' stock.txt > ${out}.txt`, `grep -vE '${isGood}' stock.txt > rejected.txt`],
      [
        `grep -E '${isGood}' stock.txt | sort -ru > ${out}.txt`,
        `grep -vE '${isGood}' stock.txt | awk 'NR > 1' > rejected.txt`,
      ],
      [`grep -E ';.*;' stock.txt | awk '!seen[$0]++' > ${out}.txt`, `grep -vE '${isGood}' stock.txt > rejected.txt`],
    ],
  };
}

function querySqlite(random: Random): TerminalTask {
  const out = word(random);
  const items = words(random, random.between(4, 7)).map(name => ({
    name,
    price: random.between(5, 60),
    stock: random.between(0, 9),
  }));
  const [forced] = items as [(typeof items)[number]];
  const all = items.map(item => (item === forced ? { ...item, stock: 0 } : item));
  const gone = all
    .filter(({ stock }) => stock === 0)
    .map(({ name }) => name)
    .toSorted();
  const percent = random.pick([10, 20, 50]);
  const raised = all.map(({ name, price, stock }) => `${name}|${stock > 0 ? price + percent : price}`).toSorted();
  const values = all.map(({ name, price, stock }) => `('${name}', ${price}, ${stock})`).join(', ');
  const update = `sqlite3 shop.db 'UPDATE item SET price = price + ${percent} WHERE stock > 0'`;
  const list = `sqlite3 shop.db 'SELECT name FROM item WHERE stock = 0 ORDER BY name' > ${out}.txt`;
  return {
    instruction: `The SQLite database shop.db has the table item (name, price, stock). Write the names of the items that are out of stock to ${out}.txt, sorted, one a line. Then raise the price of every item that is in stock by ${percent}.`,
    files: [],
    setup: [
      `sqlite3 shop.db "CREATE TABLE item (name TEXT, price INT, stock INT); INSERT INTO item VALUES ${values};"`,
    ],
    checks: [
      textCheck(`${out}.txt`, lines(gone)),
      {
        id: 'prices',
        name: 'the prices are right',
        kind: 'run',
        command: "sqlite3 shop.db 'SELECT name, price FROM item ORDER BY name'",
        output: lines(raised),
      },
    ],
    allow: [`${out}.txt`, 'shop.db'],
    oracle: [list, update],
    mutants: [
      [list, update.replace(' WHERE stock > 0', '')],
      [list.replace('stock = 0', 'stock > 0'), update],
      [list, update, update],
    ],
  };
}

function pivot(random: Random): TerminalTask {
  const out = word(random);
  const people = names(random, random.between(2, 4)).toSorted();
  const months = ['jan', 'feb', 'mar'];
  const rows = people.flatMap(person => months.map(month => ({ person, month, hours: random.between(1, 60) })));
  const table = people.map(person =>
    [person, ...rows.filter(row => row.person === person).map(({ hours }) => hours)].join('\t'),
  );
  const make = `awk '{ h[$1, $2] = $3; p[$1] = 1 } END { for (n in p) print n "\\t" h[n, "jan"] "\\t" h[n, "feb"] "\\t" h[n, "mar"] }' hours.txt | LC_ALL=C sort`;
  return {
    instruction: `Each line of hours.txt has a name, a month (jan, feb, mar) and hours. Write ${out}.tsv: the header name, jan, feb, mar, and a line for every name, sorted by name, with the hours of these months. Columns are separated by tabs.`,
    files: [
      {
        path: 'hours.txt',
        content: lines(random.shuffle(rows).map(({ person, month, hours }) => `${person} ${month} ${hours}`)),
      },
    ],
    checks: [textCheck(`${out}.tsv`, lines([['name', ...months].join('\t'), ...table]))],
    allow: [`${out}.tsv`],
    oracle: [`printf 'name\\tjan\\tfeb\\tmar\\n' > ${out}.tsv`, `${make} >> ${out}.tsv`],
    mutants: [
      [`printf 'name\\tjan\\tfeb\\tmar\\n' > ${out}.tsv`, `${make.replace('"jan"', '"mar"')} >> ${out}.tsv`],
      [`printf 'name jan feb mar\\n' > ${out}.tsv`, `${make} >> ${out}.tsv`],
      [`printf 'name\\tjan\\tfeb\\tmar\\n' > ${out}.tsv`, `${make} | tr '\\t' ' ' >> ${out}.tsv`],
    ],
  };
}
