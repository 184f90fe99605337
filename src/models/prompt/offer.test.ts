import { describe, expect, it } from 'vitest';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { createOffer } from './offer.ts';

const screen = { tools: [], browses: false, readsScreen: true, mayGiveUp: false };
const names = (options: Parameters<typeof createOffer>[0]): string[] =>
  createOffer(options).tools.map(tool => tool.name);

describe('offers', () => {
  it('[LLM-4] are the tools of the screen, then of the browser where there is one, then of the environment', () => {
    expect(names(screen)).toEqual(['click', 'fill', 'select', 'finish']);
    const all = names({ ...screen, browses: true, tools: mailWorld.tools });
    expect(all.slice(0, 5)).toEqual(['click', 'fill', 'select', 'finish', 'click-at']);
    expect(all.slice(-mailWorld.tools.length)).toEqual(mailWorld.tools.map(({ name }) => name));
    // Who sees no references cannot use them.
    expect(names({ ...screen, browses: true, readsScreen: false }).slice(0, 2)).toEqual(['finish', 'click-at']);
    expect(names({ ...screen, mayGiveUp: true }).at(-1)).toBe('give-up');
  });

  it('[LLM-4] give tools of the environment names that servers take and nobody else has', () => {
    const long = 'x'.repeat(80);
    const theirs = ['fs.read', 'fs/read', 'click', long, `${long}y`, 'plain'];
    const tools = theirs.map(name => ({ name, description: name, input: { $schema: 'draft', type: 'object' } }));
    const offer = createOffer({ ...screen, tools });
    const offered = offer.tools.slice(4);
    expect(offered.map(({ name }) => name).slice(0, 3)).toEqual(['fs_read', 'fs_read_2', 'click_2']);
    for (const { name, input } of offered) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(input).toEqual({ type: 'object' });
    }
    for (const [place, tool] of theirs.entries()) {
      const action = { kind: 'call', tool, input: { a: 1 } } as const;
      expect(offer.read({ name: offered[place]!.name, input: { a: 1 } })).toEqual({ action });
      expect(offer.write(action)).toEqual({ name: offered[place]!.name, input: { a: 1 } });
    }
  });

  it('[LLM-4] read calls that fill in what may be left out', () => {
    const offer = createOffer({ ...screen, browses: true });
    expect(offer.read({ name: 'finish', input: { answer: '', infeasible: false } })).toEqual({
      action: { kind: 'finish' },
    });
    expect(offer.read({ name: 'click', input: { ref: '[e12]' } })).toEqual({ action: { kind: 'click', ref: 'e12' } });
    expect(offer.read({ name: 'click-at', input: { x: 1, y: 2, button: 'left', double: null } })).toEqual({
      action: { kind: 'click-at', x: 1, y: 2 },
    });
  });

  it.each([
    [{ name: 'clikc', input: {} }, 'There is no tool "clikc". Call one of: click, fill, select, finish.'],
    [{ name: 'give-up', input: {} }, 'There is no tool "give-up"'],
    [{ name: 'click-at', input: { x: 1, y: 1 } }, 'There is no tool "click-at"'],
    [{ name: 'click', input: 'e12' }, 'The input of click is not a JSON object.'],
    [{ name: 'click', input: { ref: '12' } }, 'The input of click is not valid. Its members are: {"ref"'],
    [{ name: 'click', input: { ref: 'e1', force: true } }, 'The input of click is not valid.'],
  ])('[LLM-6] say what is wrong with %j', (wanted, problem) => {
    const read = createOffer(screen).read(wanted);
    expect('problem' in read ? read.problem : '').toContain(problem);
  });
});
