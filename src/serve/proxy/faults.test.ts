import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxied, type Proxied, type ProxiedOptions } from '../../../test/fixtures/models/proxied.ts';
import type { Timers } from '../../core/clock.ts';
import { drawFault, readFaults, type Fault } from './faults.ts';

const words = 'Good morning to all of you, wherever you are. '.repeat(20);
const hello = { model: 'one', messages: [{ role: 'user' as const, content: 'Hello' }] };

let open: Proxied | null = null;
afterEach(async () => open?.close());
async function faulty(spec: string, more: Partial<ProxiedOptions> = {}): Promise<Proxied> {
  open = await startProxied(() => ({ text: words }), { faults: readFaults(spec, '7'), ...more });
  return open;
}

function ask(url: string, isStreaming = false): Promise<string> {
  const body = JSON.stringify({ ...hello, stream: isStreaming });
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  }).then(reply => reply.text());
}

describe('faults on purpose', () => {
  it('[PRX-10] reads how often each comes, and refuses what it does not know', () => {
    expect(readFaults('429:0.1, slow:0.25:1500,cut:.05', '1').shares).toEqual([
      { kind: '429', share: 0.1, milliseconds: 2000 },
      { kind: 'slow', share: 0.25, milliseconds: 1500 },
      { kind: 'cut', share: 0.05, milliseconds: 2000 },
    ]);
    for (const wrong of ['', '429', '418:0.1', '429:2', '429:0.6,500:0.6', 'cut:0.1:5', 'slow:0.1:x', '500:.1,500:.1'])
      expect(() => readFaults(wrong, '1')).toThrow('Expected kinds with the share of calls');
  });

  it('[PRX-10] befalls the same calls with the same seed, and as many as asked for', () => {
    const draw = (seed: string): (Fault | null)[] => {
      const plan = readFaults('429:0.2,cut:0.1', seed);
      return Array.from({ length: 2000 }, (_, index) => drawFault(plan, `alpha/1/${index}`));
    };
    expect(draw('1')).toEqual(draw('1'));
    expect(draw('1')).not.toEqual(draw('2'));
    const counts = Map.groupBy(draw('1'), fault => fault?.kind);
    // Four standard deviations of a binomial.
    expect(Math.abs((counts.get('429')?.length ?? 0) - 400)).toBeLessThan(72);
    expect(Math.abs((counts.get('cut')?.length ?? 0) - 200)).toBeLessThan(54);
  });

  it.each(['429', '500'] as const)(
    '[PRX-11] answers with %s without asking the model, and says so in the record',
    async kind => {
      const { url, calls, upstream } = await faulty(`${kind}:1`);
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 's-x', maxRetries: 1 });
      await expect(client.chat.completions.create(hello)).rejects.toMatchObject({ status: Number(kind) });
      expect(upstream.asked).toEqual([]);
      expect(calls('x').map(({ ask: { fault }, answer }) => [fault, answer?.status])).toEqual([
        [{ kind }, Number(kind)],
        [{ kind }, Number(kind)],
      ]);
    },
  );

  it('[PRX-11] is slow for as long as asked', async () => {
    const waits: number[] = [];
    const timers: Timers = {
      after(milliseconds, run) {
        waits.push(milliseconds);
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      },
    };
    const { url, calls } = await faulty('slow:1:4321', { timers });
    await ask(url);
    expect(waits).toEqual([4321]);
    expect(calls()).toMatchObject([
      { ask: { fault: { kind: 'slow', milliseconds: 4321 } }, answer: { status: 200, cut: false } },
    ]);
  });

  it('[PRX-11] truncates an answer, which ends in good order and cannot be read', async () => {
    const { url, calls, upstream } = await faulty('truncated:1');
    const whole = await ask(url);
    expect(() => JSON.parse(whole) as unknown).toThrow(SyntaxError);
    const stream = await ask(url, true);
    expect(stream).not.toContain('[DONE]');
    expect(stream.endsWith('\n')).toBe(false);
    expect(upstream.asked).toHaveLength(2);
    expect(calls().map(({ ask: { fault }, answer }) => [fault?.kind, answer?.cut, answer?.reply])).toEqual([
      ['truncated', true, null],
      ['truncated', true, null],
    ]);
  });

  it('[PRX-11] cuts an answer in the middle', async () => {
    const { url, calls } = await faulty('cut:1');
    await expect(ask(url)).rejects.toThrow(/terminated|fetch failed/);
    await expect(ask(url, true)).rejects.toThrow(/terminated|fetch failed/);
    expect(calls().map(({ ask: { fault }, answer }) => [fault?.kind, answer?.cut, answer?.reply])).toEqual([
      ['cut', true, null],
      ['cut', true, null],
    ]);
  });
});
