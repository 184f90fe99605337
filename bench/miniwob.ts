import { createSystemTimers } from '../src/system/clock.ts';
import { readScreen } from '../src/core/episode/screen-text.ts';
import { createBrowserPool } from '../src/envs/web/browser/pool.ts';
import { createMiniwobRunner, type MiniwobRunner, type RunnerAction } from './miniwob-runner.ts';
import { figure, type Bench } from './measure.ts';

const episodes = 120;
const rounds = 5;

/** What a script does about a task that it knows. */
const scripts: Readonly<Record<string, (instruction: string, screen: string) => RunnerAction[]>> = {
  'click-test': (_instruction, screen) => clickOn(screen, 'button', ''),
  'click-button': (instruction, screen) => clickOn(screen, 'button', quotedIn(instruction)),
  'enter-text': (instruction, screen) => [
    ...readScreen(screen).flatMap(({ ref, role }): RunnerAction[] =>
      ref !== null && role === 'textbox' ? [{ kind: 'fill', ref, text: quotedIn(instruction) }] : [],
    ),
    ...clickOn(screen, 'button', 'Submit'),
  ],
};

/** Scripted episodes in one page, with nothing kept: the pace of the pages themselves. */
export const miniwobBench: Bench = {
  group: 'browser',
  onDemand: true,
  usesBrowser: true,
  figures: ['miniwob.episodes', 'miniwob.reward'],
  async *run({ miniwob, browser }) {
    if (miniwob === undefined) return;
    const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
    const [paces, rewards]: [number[], number[]] = [[], []];
    try {
      for (const template of Object.keys(scripts)) {
        const viewport = { width: 500, height: 320 };
        const runner = await createMiniwobRunner({ folder: miniwob, template, pool, viewport });
        for (let round = -1; round < rounds; round++) {
          const start = performance.now();
          for (let seed = 1; seed <= episodes / rounds; seed++) rewards.push(await play(runner, template, seed));
          if (round >= 0) paces.push(((episodes / rounds) * 1000) / (performance.now() - start));
        }
        await runner.close();
      }
    } finally {
      await pool.close();
    }
    yield figure('miniwob.episodes', '1/s', paces);
    yield figure('miniwob.reward', 'share', rewards);
  },
};

async function play(runner: MiniwobRunner, template: string, seed: number): Promise<number> {
  const instruction = await runner.start(seed);
  for (const action of scripts[template]?.(instruction, await runner.look()) ?? []) await runner.act(action);
  return (await runner.result()).reward ?? 0;
}

function clickOn(screen: string, wanted: string, named: string): RunnerAction[] {
  const lines = readScreen(screen).filter(({ ref, role }) => ref !== null && role === wanted);
  const line = lines.find(({ name }) => name.toLowerCase() === named.toLowerCase()) ?? lines[0];
  return line?.ref ? [{ kind: 'click', ref: line.ref }] : [];
}

function quotedIn(instruction: string): string {
  return /"([^"]*)"/.exec(instruction)?.[1] ?? '';
}
