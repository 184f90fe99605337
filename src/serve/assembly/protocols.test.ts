import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addServe } from '../../cli/serve/serve-verb.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { listen, sendJson } from '../http.ts';
import { unconnected } from '../sessions/served-session.ts';
import { protocols, type Codec } from './protocols.ts';

/** A whole protocol: every request opens a session and answers with its instruction. */
const instructions: Codec = {
  usage: 'serve instructions',
  told: address => `Instructions are at ${address}.`,
  async listen({ sessions, onFault }, { host, port }) {
    const { url, close } = await listen(
      async (_request, response) => {
        const session = await sessions.open(unconnected.student, { environment: 'library', seed: 3 });
        const { instruction } = session.episode.task;
        await sessions.use(session, () => sessions.close(session, 'it was only looked at'));
        sendJson(response, 200, { instruction });
      },
      { host, port, onFault },
    );
    return { address: url, close };
  },
};

it('[SRV-88] a protocol is its codec: it opens sessions of the server at a port of its own', async () => {
  const server = await startServer();
  const opened = await server.open(instructions);
  const answer = (await (await fetch(opened.address)).json()) as { instruction: string };
  expect(answer.instruction).toMatch(/\w+ \w+/);
  await server.stop();
  await expect(fetch(opened.address)).rejects.toThrow('fetch failed');
});

it('[SRV-88] an entry with a codec is a flag of serve', () => {
  const program = new Command();
  addServe(program, { output: null as never, finish: async () => undefined });
  const flags = program.commands[0]?.options.map(option => option.flags);
  const wanted = protocols.entries.flatMap(({ name, codec }) => (codec === undefined ? [] : [`--${name} <port>`]));
  expect(wanted).toContain('--nemo-gym <port>');
  expect(flags).toEqual(expect.arrayContaining(wanted));
});
