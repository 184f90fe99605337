import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connectWire, type WireClient } from './wire-client.ts';

/** OpenEnv's own server around an environment that does nothing. */
const program = `
import sys, uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
class Empty(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True
    def __init__(self):
        super().__init__()
        self._state = State(episode_id="one", step_count=0)
    def reset(self, seed=None, episode_id=None, **kwargs):
        return Observation(done=False, reward=None)
    def step(self, action, timeout_s=None, **kwargs):
        self._state.step_count += 1
        return Observation(done=False, reward=None)
    @property
    def state(self):
        return self._state
app = create_fastapi_app(Empty, Action, Observation, max_concurrent_envs=128)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
`;

export interface OpenEnvLoad {
  readonly connections: number;
  readonly seconds: number;
  readonly runs: number;
}

/** Steps a second of OpenEnv's server, driven as ours is; null where no Python with openenv-core is named. */
export async function openEnvSteps({ connections, seconds, runs }: OpenEnvLoad): Promise<number[] | null> {
  const python = process.env['ESPALIER_OPENENV_PYTHON'];
  if (python === undefined || !existsSync(python)) return null;
  const port = await freePort();
  const child = spawn(python, ['-c', program, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilHealthy(url);
    const clients = await Promise.all(Array.from({ length: connections }, () => connectWire(url)));
    await Promise.all(clients.map(client => client.request('reset')));
    const rates: number[] = [];
    for (let run = -1; run < runs; run++) {
      const rate = await stepsIn(clients, seconds);
      if (run >= 0) rates.push(rate);
    }
    for (const client of clients) client.close();
    return rates;
  } finally {
    child.kill('SIGKILL');
  }
}

async function stepsIn(clients: readonly WireClient[], seconds: number): Promise<number> {
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let count = 0;
  const step = JSON.stringify({ type: 'step', data: {} });
  await Promise.all(
    clients.map(async client => {
      for (; performance.now() < end; count++) await client.ask(step);
    }),
  );
  return count / ((performance.now() - begun) / 1000);
}

async function untilHealthy(url: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const isUp = await fetch(`${url}/health`).then(
      answer => answer.ok,
      () => false,
    );
    if (isUp) return;
    await pause(250);
  }
  throw new Error('OpenEnv’s server did not start.');
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
