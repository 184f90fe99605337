import { createRandom } from '../src/core/random.ts';
import { poisonGate } from '../src/memory/gate.ts';
import type { NewItem } from '../src/memory/item.ts';
import { createMemory } from '../src/memory/memory.ts';
import { figure, type Bench } from './measure.ts';

const items = 100_000;

export const memoryBench: Bench = {
  group: 'memory',
  figures: ['memory.read', 'memory.index'],
  async *run() {
    const random = createRandom('memory');
    const words = Array.from({ length: 5000 }, (_, at) => `w${at.toString(36)}`);
    const text = (count: number): string =>
      Array.from({ length: count }, () => words[Math.floor(words.length * random.next() ** 2)] as string).join(' ');
    const notes = Array.from(
      { length: items },
      (_, at): NewItem => ({
        kind: 'note',
        prefer: [],
        avoid: [],
        title: text(6),
        text: `${at} ${text(18)}`,
        provenance: { writer: 'bench', environment: `app${at % 20}`, tasks: [String(at)] },
      }),
    );
    const memory = createMemory().write(notes, poisonGate);
    const ask = (): void =>
      void memory.read({ environment: 'app1', instruction: text(10), heading: text(2) }, { most: 3, tokens: 300 });
    const begun = performance.now();
    ask();
    yield figure('memory.index', 's', [(performance.now() - begun) / 1000]);
    const times = Array.from({ length: 60 }, () => {
      const started = performance.now();
      ask();
      return performance.now() - started;
    });
    yield figure('memory.read', 'ms', times);
  },
};
