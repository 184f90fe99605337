import { createRandomPolicy } from '../src/agents/random.ts';
import { createManualClock } from '../src/core/clock.ts';
import type { EpisodeHead } from '../src/core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../src/core/episode/record.ts';
import { createRandom } from '../src/core/random.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { runEpisodes } from '../src/episode/engine.ts';
import { createLawJournal } from '../src/episode/laws/memory-journal.ts';
import { createLinear } from '../src/episode/strategies/linear.ts';
import { poisonGate } from '../src/memory/gate.ts';
import type { NewItem } from '../src/memory/item.ts';
import { createMemory } from '../src/memory/memory.ts';
import { experienceOf } from '../src/memory/writers/writer.ts';
import { memories } from '../src/runs/registry/memories.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { figure, type Bench } from './measure.ts';

const items = 100_000;
const episodes = 10_000;
/** Episodes that are run; the others are the same with other tasks. */
const run = 500;

export const memoryBench: Bench = {
  group: 'memory',
  figures: ['memory.index', 'memory.read', 'memory.write'],
  async *run() {
    const { index, reads } = reading();
    yield figure('memory.index', 's', [index]);
    yield figure('memory.read', 'ms', reads);
    yield figure('memory.write', 's', [await writing()]);
  },
};

/** Seconds of the first read, which makes the index, and milliseconds of later ones. */
function reading(): { readonly index: number; readonly reads: number[] } {
  const random = createRandom('memory');
  const words = Array.from({ length: 5000 }, (_, at) => `word${at.toString(36)}`);
  // Some words are in most texts, and most are in few.
  const text = (count: number): string =>
    Array.from({ length: count }, () => words[Math.floor(words.length * random.next() ** 2)] as string).join(' ');
  const notes = Array.from(
    { length: items },
    (_, at): NewItem => ({
      kind: 'note',
      title: text(6),
      text: `${at} ${text(18)}`,
      prefer: [],
      avoid: [],
      provenance: { writer: 'bench', environment: `app${at % 20}`, tasks: [String(at)] },
    }),
  );
  const memory = createMemory().write(notes, poisonGate);
  const ask = (): number => {
    const situation = { environment: null, instruction: text(10), heading: text(2) };
    const started = performance.now();
    memory.read(situation, { most: 3, tokens: 300, kinds: ['note'] });
    return performance.now() - started;
  };
  const index = ask() / 1000;
  return { index, reads: Array.from({ length: 200 }, ask) };
}

/** Seconds until every memory that needs no practice has written ten thousand episodes. */
async function writing(): Promise<number> {
  const world = createWorld(mail);
  const templates = world.templates.filter(({ split }) => split === 'train');
  const journal = createLawJournal();
  const headOf = (index: number): EpisodeHead => {
    const task = world.task(templates[index % templates.length]?.id ?? '', index + 1);
    const fixed = { run: 'bench', phase: 'collect', round: 0, trial: 0, student: 'random', teacher: null } as const;
    return { ...fixed, key: `collect/0/${task.id}/0`, index, task, strategy: 'linear' };
  };
  await runEpisodes({
    plan: Array.from({ length: run }, (_, index) => headOf(index)),
    seed: 'bench',
    concurrency: 1,
    journal,
    clock: createManualClock(),
    timers: { after: () => () => undefined },
    createTrail,
    start: () => ({ environment: world, student: createRandomPolicy(), strategy: createLinear() }),
  });
  const ran = [...journal.ended.values()].map(foldEpisode);
  const all = Array.from({ length: episodes }, (_, at): EpisodeRecord => {
    const record = ran[at % ran.length] as EpisodeRecord;
    // Random episodes seldom pass; a third of these count as if they had.
    const outcome = at % 3 === 0 ? 'passed' : 'failed';
    const task = { ...record.head.task, id: `${record.head.task.id}/${at}` };
    return { ...record, head: { ...record.head, task }, end: { ...record.end, outcome } };
  });
  const started = performance.now();
  const experience = all.map(experienceOf);
  let memory = createMemory();
  for (const { write, practise } of memories.entries)
    if (practise === undefined) memory = memory.write(write(experience), poisonGate);
  memory.save();
  return (performance.now() - started) / 1000;
}
