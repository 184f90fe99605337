import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { lines, names, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const logTemplates: readonly TerminalTemplate[] = [
  { id: 'logs/count-errors', split: 'train', about: 'Count the errors of each service.', draw: countErrors },
  { id: 'logs/most-denied', split: 'train', about: 'Find who was denied most often.', draw: mostDenied },
  { id: 'logs/cut-day', split: 'test', about: 'Cut one day out of several logs.', draw: cutDay },
];

const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];

interface LogLine {
  readonly day: string;
  readonly time: string;
  readonly level: string;
  readonly service: string;
  readonly text: string;
}

function logLines(random: Random, services: readonly string[], count: number): LogLine[] {
  const two = (value: number): string => String(value).padStart(2, '0');
  return Array.from({ length: count }, (_, at) => ({
    day: `2026-03-${two(1 + Math.floor((at * 5) / count))}`,
    time: `${two(random.between(0, 23))}:${two(random.between(0, 59))}`,
    level: random.pick(levels),
    service: random.pick(services),
    // Words of other fields stand in texts as well.
    text: random.pick(['done', 'retry after ERROR', 'no ERROR seen', 'slow', 'WARN was cleared', 'ok']),
  }));
}

function written({ day, time, level, service, text }: LogLine): string {
  return `${day} ${time} ${level} ${service} ${text}`;
}

function countErrors(random: Random): TerminalTask {
  const out = word(random);
  const services = words(random, random.between(3, 5));
  const log = logLines(random, services, random.between(30, 60));
  const errors = log.filter(({ level }) => level === 'ERROR');
  const counts = services
    .map(service => [service, errors.filter(line => line.service === service).length] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const report = lines(counts.map(([service, count]) => `${service} ${count}`));
  const count = `awk '$3 == "ERROR" { n[$4]++ } END { for (s in n) print s, n[s] }' app.log | LC_ALL=C sort`;
  return {
    instruction: `Each line of app.log has day, time, level, service and a text. Write the services that logged lines of the level ERROR to ${out}.txt, sorted by name, each with a space and the number of these lines. Then write the sum of these numbers to ${out}.total.`,
    files: [{ path: 'app.log', content: lines(log.map(written)) }],
    checks: [textCheck(`${out}.txt`, report), textCheck(`${out}.total`, String(errors.length))],
    allow: [`${out}.txt`, `${out}.total`],
    oracle: [`${count} > ${out}.txt`, `awk '{ n += $2 } END { print n }' ${out}.txt > ${out}.total`],
    mutants: [
      [
        `${count.replace('$3 == "ERROR"', '/ERROR/')} > ${out}.txt`,
        `awk '{ n += $2 } END { print n }' ${out}.txt > ${out}.total`,
      ],
      [`${count} > ${out}.txt`, `grep -c ERROR app.log > ${out}.total`],
      [`${count} | sort -k2nr > ${out}.txt`, `wc -l < ${out}.txt > ${out}.total`],
    ],
  };
}

/** The one that was denied most often stands out by at least two. */
function mostDenied(random: Random): TerminalTask {
  const out = word(random);
  const people = names(random, random.between(3, 5));
  const [most, ...others] = people as [string, ...string[]];
  const base = random.between(2, 4);
  const entry = (person: string, result: string): string =>
    `login user=${person} result=${result} try=${random.between(1, 9)}`;
  const log = random.shuffle([
    ...Array.from({ length: base + 3 }, () => entry(most, 'denied')),
    ...others.flatMap(person => Array.from({ length: random.between(1, base) }, () => entry(person, 'denied'))),
    ...others.flatMap(person => Array.from({ length: base + 6 }, () => entry(person, 'granted'))),
  ]);
  const find = "grep 'result=denied' auth.log | grep -o 'user=[a-z]*' | sort | uniq -c | sort -nr | head -1";
  return {
    instruction: `The file auth.log has the logins of some users. Add a line with the name of the user who was denied most often to the end of the file blocked.txt, and write all lines of this user to ${out}.log, in their order.`,
    files: [
      { path: 'auth.log', content: lines(log) },
      { path: 'blocked.txt', content: 'mallory\n' },
    ],
    checks: [
      textCheck('blocked.txt', lines(['mallory', most])),
      textCheck(`${out}.log`, lines(log.filter(line => line.includes(`user=${most} `)))),
    ],
    allow: ['blocked.txt', `${out}.log`],
    oracle: [`${find} | sed 's/.*user=//' >> blocked.txt`, `grep "user=$(tail -1 blocked.txt) " auth.log > ${out}.log`],
    mutants: [
      [`${find} | sed 's/.*user=//' > blocked.txt`, `grep "user=$(tail -1 blocked.txt) " auth.log > ${out}.log`],
      [
        `${find.replace('result=denied', 'login')} | sed 's/.*user=//' >> blocked.txt`,
        `grep "user=$(tail -1 blocked.txt) " auth.log > ${out}.log`,
      ],
      [
        `${find} | sed 's/.*user=//' >> blocked.txt`,
        `grep "user=$(tail -1 blocked.txt) result=denied" auth.log | sort > ${out}.log`,
      ],
    ],
  };
}

function cutDay(random: Random): TerminalTask {
  const out = word(random);
  const services = words(random, 3);
  const day = `2026-03-0${random.between(2, 4)}`;
  const logs = services.map(service => ({ service, log: logLines(random, [service], random.between(15, 25)) }));
  const cut = logs
    .flatMap(({ log }) => log.filter(line => line.day === day).map(written))
    .toSorted((one, other) => (one < other ? -1 : 1));
  const left = logs.map(({ service, log }) => ({ service, log: log.filter(line => line.day !== day) }));
  return {
    instruction: `The folder logs has a file for each service. Write all their lines of the day ${day} to ${out}.log, sorted as texts (in the C locale). Then remove these lines from the files in logs.`,
    files: logs.map(({ service, log }) => ({ path: `logs/${service}.log`, content: lines(log.map(written)) })),
    checks: [
      textCheck(`${out}.log`, lines(cut)),
      ...left.map(({ service, log }) => textCheck(`logs/${service}.log`, lines(log.map(written)))),
    ],
    allow: [`${out}.log`, 'logs/*.log'],
    oracle: [`cat logs/*.log | grep '^${day} ' | LC_ALL=C sort > ${out}.log`, `sed -i '/^${day} /d' logs/*.log`],
    mutants: [
      [`cat logs/*.log | grep '^${day} ' > ${out}.log`, `sed -i '/^${day} /d' logs/*.log`],
      [`grep '^${day} ' logs/*.log | LC_ALL=C sort > ${out}.log`, `sed -i '/^${day} /d' logs/*.log`],
      [`cat logs/*.log | grep '^${day} ' | LC_ALL=C sort > ${out}.log`, "sed -i '/ERROR/d' logs/*.log"],
    ],
  };
}
