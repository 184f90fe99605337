import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError, readJson, sendJson, z, type DrivenEpisode, type Protocol, type ProtocolContext } from 'espalier';

/** What `--option` may say. */
export const options = z.strictObject({
  verdicts: z.boolean().default(false).describe('tell the verdict in the answer to finish'),
});

const openSchema = z.strictObject({ task: z.string().optional(), client: z.string().default('rest') });

/**
 * `espalier serve ./rest.ts mail`: episodes as JSON over HTTP.
 * POST /episodes opens one; POST /episodes/<id>/steps takes an action, /episodes/<id>/finish verifies and ends it;
 * DELETE /episodes/<id> abandons it.
 */
export function protocol({ verdicts }: z.infer<typeof options>): Protocol {
  return {
    name: 'rest',
    about: 'Episodes as JSON over HTTP.',
    async serve(context) {
      const open = new Map<string, DrivenEpisode>();
      const server = await context.listen(async (request, response) => {
        sendJson(response, 200, await answer(request, { ...context, open, verdicts }));
      });
      context.announce(`${server.url}/episodes`);
      await new Promise(resolve => context.signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}

interface Serving extends ProtocolContext {
  readonly open: Map<string, DrivenEpisode>;
  readonly verdicts: boolean;
}

async function answer(request: IncomingMessage, serving: Serving): Promise<object> {
  const [, place, id, verb] = (request.url ?? '').split('/');
  if (place !== 'episodes') throw new HttpError(404, `There is nothing at ${request.url}. Expected /episodes.`);
  if (id === undefined && request.method === 'POST') return begin(request, serving);
  if (id === undefined) throw new HttpError(405, 'Expected POST /episodes, which opens an episode.');
  const episode = serving.open.get(id);
  if (episode === undefined) throw new HttpError(404, `There is no episode "${id}". Open one with POST /episodes.`);
  if (request.method === 'DELETE') {
    await episode.abandon('the client left');
    return { ended: true };
  }
  if (verb === 'steps') return step(await readJson(request), episode);
  if (verb === 'finish') return finish(episode, serving);
  throw new HttpError(404, `There is nothing at ${request.url}. Expected steps or finish.`);
}

async function begin(request: IncomingMessage, { episodes, task, open }: Serving): Promise<object> {
  const parsed = openSchema.safeParse(await readJson(request));
  if (!parsed.success) throw new HttpError(400, z.prettifyError(parsed.error));
  const episode = await episodes.open({ task: await task(parsed.data.task ?? null), client: parsed.data.client });
  for (const [old, { end }] of open) if (end() !== null) open.delete(old);
  const id = randomUUID();
  open.set(id, episode);
  const { text } = await episode.observe();
  return { id, instruction: episode.task.instruction, tools: episodes.environment.tools, screen: text };
}

async function step(action: unknown, episode: DrivenEpisode): Promise<object> {
  const { outcome } = await episode.step(action as Parameters<DrivenEpisode['step']>[0]);
  const { text } = await episode.observe();
  return { outcome, screen: text, ended: episode.ended() };
}

async function finish(episode: DrivenEpisode, { verdicts }: Serving): Promise<object> {
  const { outcome, reason, verdict } = await episode.finish();
  return verdicts ? { ended: true, outcome, reason, verdict } : { ended: true };
}
