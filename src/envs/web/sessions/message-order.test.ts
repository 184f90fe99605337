import { afterAll, describe, expect, it } from 'vitest';
import { take, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Session } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

/** Posts a message to itself for each event, as React does, and writes down what it hears in which order. */
const posting = `<button>Go</button><input aria-label="Name" value="old"><pre id="out"></pre><script>
  const log = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => { log.push('m-' + data); out.textContent = log.join(' '); };
  port2.postMessage('load');
  for (const type of ['mousedown', 'mouseup', 'keydown', 'input', 'keyup', 'change', 'focusin', 'mouseout'])
    document.addEventListener(type, () => { log.push(type); port2.postMessage(type); }, true);
</script>`;

async function open(): Promise<Session> {
  const environment = createPages({ pool, pages: { '/': posting } });
  return environment.open(await environment.task('look', 1));
}

const heardIn = async (session: Session): Promise<string> =>
  /m-load[^"]*/.exec((await session.observe()).text)?.[0] ?? '';

describe('messages that scripts post while somebody acts', () => {
  it.each<[string, string, readonly Step[]]>([
    ['a click', 'mousedown focusin m-mousedown m-focusin mouseup m-mouseup mouseout m-mouseout', ['Go']],
    [
      'a text by keys',
      'keydown input m-keydown m-input keyup m-keyup keydown input m-keydown m-input keyup m-keyup',
      ['Name', { kind: 'type', text: 'ab' }],
    ],
    [
      'a field that is filled',
      'mousedown focusin m-mousedown m-focusin mouseup m-mouseup input m-input change m-change mouseout m-mouseout',
      ['Name=new'],
    ],
  ])('[SITE-146] come before the next event: %s', async (_, wanted, steps) => {
    const session = await open();
    await take(session, ...steps.slice(0, -1));
    const before = await heardIn(session);
    await take(session, ...steps.slice(-1));
    expect((await heardIn(session)).slice(before.length).trim()).toBe(wanted);
    await session.close();
  });

  it('[SITE-146] come before the next event of a click by script', async () => {
    const session = await open();
    const fork = (await session.fork?.({ unchecked: true })) as Session;
    await take(fork, 'Go');
    expect(await heardIn(fork)).toContain('mousedown focusin m-mousedown m-focusin mouseup m-mouseup');
    await fork.close();
    await session.close();
  });
});
