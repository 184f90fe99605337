import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const cellularAutomaton = defineProblem({
  name: 'cellular-automaton',
  subject: 'machines',
  about: 'A row of cells after some steps of a rule.',
  input: text({ characters: '01', longest: 40, of: 'the digits 0 and 1', example: '0110' }),
  output: text({ characters: '01', longest: 40, of: 'the digits 0 and 1', example: '0110' }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(0, 1)).join(''),
  parameters: (_, random, level) => ({
    rule: random.pick([30, 54, 90, 102, 110, 150]),
    steps: random.between(1, steps[level]),
  }),
  wordings: [
    (x, { rule, steps: count }) =>
      `A row of cells is ${x}. In each step a cell becomes 1 or 0 depending on its left neighbour, itself and its right neighbour: ${ruleText(rule)}. Beyond the ends are 0s, and the length stays. What is the row after ${count} ${count === 1 ? 'step' : 'steps'}?`,
    (x, { rule, steps: count }) =>
      `Apply the elementary cellular automaton rule ${rule} (${ruleText(rule)}) to ${x}, ${count} ${count === 1 ? 'time' : 'times'}. The row keeps its length and has 0s outside. What comes out?`,
  ],
  solve(row, { rule, steps: count }) {
    let now = row;
    for (let step = 0; step < count; step++) {
      const wide = `0${now}0`;
      now = [...now]
        .map((_, index) =>
          Math.floor(rule / 2 ** Number.parseInt(wide.slice(index, index + 3), 2)) % 2 === 1 ? '1' : '0',
        )
        .join('');
    }
    return now;
  },
  // Looks the three cells up in the words of the rule.
  bruteForce(row, { rule, steps: count }) {
    const turns = new Set(
      ruleText(rule)
        .split(' ')
        .filter(word => /^[01]{3}/.test(word))
        .map(word => word.slice(0, 3)),
    );
    let now = row.split('');
    for (let step = 0; step < count; step++) {
      const before = now;
      now = before.map((cell, index) =>
        turns.has(`${before[index - 1] ?? '0'}${cell}${before[index + 1] ?? '0'}`) ? '1' : '0',
      );
    }
    return now.join('');
  },
});

const length = byLevel(6, 9, 16);
const steps = byLevel(1, 2, 4);

function ruleText(rule: number): string {
  const ones = Array.from({ length: 8 }, (_, code) => code).filter(code => Math.floor(rule / 2 ** code) % 2 === 1);
  return `it becomes 1 for ${ones.map(code => code.toString(2).padStart(3, '0')).join(', ')} and 0 for all others`;
}
