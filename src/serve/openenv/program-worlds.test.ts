import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { codeTemplates, createAdrEnvironment } from '../../envs/code/environment/environment.ts';
import { createWorld } from '../../worlds/world.ts';

const start = stoppedAfterEach();
const call = (tool: string, input: object) => ({ kind: 'call', tool, input });

/** Milliseconds of each of so many requests, one after another. */
async function times(count: number, ask: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    await ask();
    found.push(performance.now() - begun);
  }
  return found;
}

describe('a world that runs programs', () => {
  it('[SRV-68] holds up no other session while a program runs, in a step and in a verdict', async () => {
    const adr = createAdrEnvironment({ id: 'adr', templates: codeTemplates });
    const server = await start({ environments: [createWorld(app), adr] });
    const [coder, reader] = [await server.connect(), await server.connect()];
    await reader.ask('reset', { task: 'lend-to-reader', seed: 3 });
    await coder.ask('reset', { environment: 'adr', task: 'two-atoms', seed: 1 });
    const slow = "setTimeout(() => require('node:console').log('done'), 2000);";
    await coder.ask('step', call('write_file', { path: 'slow.js', text: slow }));
    const alone = await times(20, () => reader.ask('observe'));
    const programs = [
      [call('run_file', { path: 'slow.js', input: '' }), { result: { outcome: 'done', output: 'done\n' } }],
      [{ kind: 'finish', answer: `\`\`\`js\n${slow}\n\`\`\`` }, { ended: 'terminated' }],
    ] as const;
    for (const [action, expected] of programs) {
      const begun = performance.now();
      let took = 0;
      const running = coder.ask('step', action).then(answer => {
        took = performance.now() - begun;
        return answer;
      });
      const beside = await times(50, async () => {
        await reader.ask('observe');
        await new Promise(resolve => setTimeout(resolve, 20));
      });
      expect((await running).data.observation).toMatchObject(expected);
      expect(took).toBeGreaterThan(2000);
      // The slowest of them includes 20 ms of rest: all of them are far from the time of the program.
      expect(Math.max(...beside)).toBeLessThan(Math.max(took / 4, 20 + 10 * Math.max(...alone)));
    }
  }, 30_000);
});
