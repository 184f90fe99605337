import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { write } from '../../../../test/fixtures/pages/branches.ts';
import { retrace, take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const page = write({
  body: `<style>
      button { transition: color 1s } button:hover { color: red }
      p { transition: width 1s, opacity 2s; width: 50px } .wide { width: 90px; opacity: 0.5 }
      @keyframes turn { to { rotate: 1turn } } .turning { animation: turn 1s infinite } .turned { animation: turn 1s }
    </style><p id="b">B</p><p id="a">A</p>`,
  before: `const heard = []; const note = ({ type, target, propertyName, animationName, elapsedTime }) =>
      heard.push([type.replace(/transition|animation/, ''), target.id, propertyName ?? animationName, elapsedTime].join(' '));
    for (const type of 'transitionrun transitionstart transitionend transitioncancel animationstart animationend animationcancel'.split(' '))
      addEventListener(type, note)`,
  does: {
    Widen: `byId('a').className = 'wide'; byId('b').className = 'wide'`,
    Turn: `byId('a').className = 'turning'; byId('b').className = 'turned'`,
    Stop: `byId('a').className = ''`,
    Show: `say(heard.splice(0).join(', '))`,
  },
});

async function heardAfter(...steps: readonly string[]): Promise<string> {
  const environment = createPages({ pool, pages: { '/': page } });
  const session = await environment.open(await environment.task('look', 1));
  try {
    await take(session, ...steps, 'Show');
    return /status "(.*)"/.exec((await session.observe()).text)?.[1] ?? '';
  } finally {
    await session.close();
  }
}

describe('what scripts hear of transitions and animations', () => {
  it('[SITE-187] is what came to an end, once the page is at rest, in the order of the document', async () => {
    const [first, then] = [['run', 'start'], ['end']].map(types =>
      ['b', 'a'].flatMap(id => ['opacity', 'width'].flatMap(name => types.map(type => [type, id, name] as const))),
    );
    const words = [...(first ?? []), ...(then ?? [])].map(([type, id, name]) => {
      const seconds = type === 'end' ? (name === 'width' ? 1 : 2) : 0;
      return `${type} ${id} ${name} ${seconds}`;
    });
    expect(await heardAfter('Widen')).toBe(words.join(', '));
  });

  it('[SITE-187] is nothing of a button that was hovered over on the way to a click', async () => {
    expect(await heardAfter('Show', 'Show')).toBe('');
  });

  it('[SITE-187] is the beginning of what has no end, and its end when it is called off', async () => {
    expect(await heardAfter('Turn')).toBe('start b turn 0, start a turn 0, end b turn 1');
    expect(await heardAfter('Turn', 'Show', 'Stop')).toBe('cancel a turn 0');
  });

  it('[SITE-187] is the same after a restore', async () => {
    const environment = createPages({ pool, pages: { '/': page } });
    expect(await retrace(environment, ['Widen', 'Turn', 'Stop', 'Show'])).toMatchObject({ reasons: [] });
  });
});
