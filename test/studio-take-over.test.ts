import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { foldEpisode } from '../src/core/episode/record.ts';
import { openStore } from '../src/store/store.ts';
import { studioEpisodes, studioSource, writeRun } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-take-over-'));
let episodes: StoredEpisode[];

beforeAll(async () => {
  episodes = await studioEpisodes();
  writeRun(join(folder, 'one'), episodes);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('taking over', () => {
  it('[STUDIO-4] refuses to take over where the state is not the recorded one', async () => {
    const [first] = episodes as [StoredEpisode];
    const events = first.events.map(event => (event.kind === 'open' ? { ...event, root: 'another state' } : event));
    const moved = events.map(event =>
      event.kind === 'step' && event.node.parent === 0
        ? { ...event, node: { ...event.node, before: 'another state' } }
        : event,
    );
    writeRun(join(folder, 'diverged'), [{ ...first, events: moved }]);
    const source = studioSource(folder);
    const request1 = { run: 'diverged', episode: 1, node: 0, person: 'me', replaces: null };
    await expect(source.takeOvers.open(request1)).rejects.toThrow('Diverged at the initial state');
    expect((await source.changes({ run: 'diverged', episode: 1, node: 1 })).problem).toContain('Diverged');
    await source.close();
  });

  it('[STUDIO-5] keeps a branch as an episode of its own, for each of two people who took over at one step', async () => {
    writeRun(join(folder, 'two'), episodes);
    const source = studioSource(folder);
    const { steps } = source.outline('two', 1);
    const rejected = steps.find(({ rejection }) => rejection !== null);
    if (rejected === undefined) throw new Error('Nothing was rejected.');
    const at = { run: 'two', episode: 1, node: rejected.parent, replaces: rejected.id };
    const [ann, ben] = [
      await source.takeOvers.open({ ...at, person: 'Ann' }),
      await source.takeOvers.open({ ...at, person: 'Ben' }),
    ];
    await source.takeOvers.step(ann.id, { kind: 'click', ref: 'e2' });
    await source.takeOvers.letGoOn(ann.id, 'teacher', { steps: 30 });
    const wrong = await source.takeOvers.step(ben.id, { kind: 'click', ref: 'e999' });
    expect(wrong.steps[0]?.problem).not.toBeNull();
    await source.takeOvers.undo(ben.id);
    await source.takeOvers.letGoOn(ben.id, 'teacher', { steps: 1 });
    const kept = [
      await source.takeOvers.keep(ann.id, 'not that one'),
      await source.takeOvers.keep(ben.id, 'nor that one'),
    ];
    expect(kept.map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
    expect(new Set(kept.map(({ key }) => key)).size).toBe(2);
    const store = openStore({ path: join(folder, 'two/store.db'), readOnly: true });
    const record = [...store.episodes()].map(foldEpisode).find(({ head }) => head.key === kept[0]?.key);
    store.close();
    expect(record?.head).toMatchObject({ strategy: 'studio', teacher: 'Ann', phase: 'collect' });
    expect(record?.corrections).toEqual([expect.objectContaining({ reason: 'not that one' })]);
    const { node = 0, replaces = 0 } = record?.corrections[0] ?? {};
    expect(record?.tree.node(node).actor).toEqual({ role: 'human', name: 'Ann' });
    expect(record?.text(replaces ?? 0)).toBe(rejected.text);
    expect(
      record?.tree
        .path(node)
        .slice(0, -1)
        .every(({ actor }) => actor.role !== 'human'),
    ).toBe(true);
    await source.close();
  });

  it('[STUDIO-25] refuses a step on a screen that another person has changed', async () => {
    const source = studioSource(folder);
    const { id } = await source.takeOvers.open({ run: 'one', episode: 1, node: 0, person: 'Ann', replaces: null });
    // Two people have the same link open. Both see the screen before any step.
    await source.takeOvers.step(id, { kind: 'click', ref: 'e2' }, 0);
    await expect(source.takeOvers.step(id, { kind: 'click', ref: 'e3' }, 0)).rejects.toThrow('Somebody else acted');
    const seen = await source.takeOvers.look(id);
    expect(seen.steps).toHaveLength(1);
    expect((await source.takeOvers.step(id, { kind: 'click', ref: 'e3' }, seen.at)).steps).toHaveLength(2);
    await source.takeOvers.drop(id);
    await source.close();
  });

  it('[STUDIO-25] refuses whatever changes a world in which a step was taken back and another taken', async () => {
    const { takeOvers, close } = studioSource(folder);
    const { id } = await takeOvers.open({ run: 'one', episode: 1, node: 0, person: 'Ann', replaces: null });
    const { at: seen } = await takeOvers.step(id, { kind: 'click', ref: 'e2' }, 0);
    await takeOvers.undo(id, seen);
    // As many steps as before, on another screen.
    const now = await takeOvers.step(id, { kind: 'click', ref: 'e3' }, 0);
    expect(now.steps).toHaveLength(1);
    await expect(takeOvers.step(id, { kind: 'click', ref: 'e2' }, seen)).rejects.toThrow('Somebody else acted');
    await expect(takeOvers.undo(id, seen)).rejects.toThrow('Somebody else acted');
    await expect(takeOvers.letGoOn(id, 'teacher', { steps: 1, seen })).rejects.toThrow('Somebody else acted');
    await expect(takeOvers.keep(id, '', seen)).rejects.toThrow('Somebody else acted');
    expect((await takeOvers.look(id)).at).toBe(now.at);
    await takeOvers.drop(id);
    await close();
  });

  it('[STUDIO-26] takes no step after the end of the task', async () => {
    const { takeOvers, close } = studioSource(folder);
    const { id } = await takeOvers.open({ run: 'one', episode: 1, node: 0, person: 'Ann', replaces: null });
    expect((await takeOvers.step(id, { kind: 'finish' })).hasEnded).toBe(true);
    await expect(takeOvers.step(id, { kind: 'click', ref: 'e2' })).rejects.toThrow('The task has ended here');
    expect((await takeOvers.look(id)).steps).toHaveLength(1);
    await takeOvers.drop(id);
    await close();
  });

  it('[STUDIO-37] says that a branch is kept when only what comes after the journal fails', async () => {
    writeRun(join(folder, 'after'), episodes);
    const source = studioSource(folder);
    const { id } = await source.takeOvers.open({ run: 'after', episode: 1, node: 0, person: 'me', replaces: null });
    await source.takeOvers.step(id, { kind: 'click', ref: 'e2' });
    // The branch beside the store cannot be removed: a folder lies in its place.
    const file = join(folder, 'after/take-overs', `${id}.jsonl`);
    rmSync(file);
    mkdirSync(file);
    expect((await source.takeOvers.keep(id, '')).outcome).toBe('failed');
    await expect(async () => source.takeOvers.keep(id, '')).rejects.toThrow('not open any more');
    await source.close();
    const store = openStore({ path: join(folder, 'after/store.db'), readOnly: true });
    expect([...store.summaries()].filter(({ head }) => head.strategy === 'studio')).toHaveLength(1);
    store.close();
    rmSync(file, { recursive: true });
  });

  it('[STUDIO-27] makes no run anew that was deleted', async () => {
    const deleted = join(folder, 'deleted');
    writeRun(deleted, episodes);
    const source = studioSource(folder);
    const at = { run: 'deleted', episode: 1, node: 0, person: 'me', replaces: null };
    const { id } = await source.takeOvers.open(at);
    await source.takeOvers.step(id, { kind: 'click', ref: 'e2' });
    rmSync(deleted, { recursive: true });
    const play = { run: 'deleted', person: 'me', environment: 'mail', template: 'star-message', seed: 5 };
    await expect(source.takeOvers.keep(id, '')).rejects.toThrow('was deleted');
    await expect(source.takeOvers.open(at)).rejects.toThrow('was deleted');
    await expect(source.takeOvers.play(play)).rejects.toThrow('was deleted');
    await expect(source.exportRows('deleted')).rejects.toThrow('was deleted');
    expect(() => source.saveView('deleted', { name: 'x', query: {} })).toThrow('was deleted');
    expect(() => source.removeView('deleted', 'x')).toThrow('was deleted');
    expect(existsSync(deleted)).toBe(false);
    await source.close();
  });

  it('[STUDIO-34] takes no step that it could not write, says why, and goes on when the folder is back', async () => {
    const [place, away] = [join(folder, 'moved'), join(folder, 'moved-away')];
    writeRun(place, episodes);
    const { takeOvers, ...source } = studioSource(folder);
    const { id } = await takeOvers.open({ run: 'moved', episode: 1, node: 0, person: 'me', replaces: null });
    const first = await takeOvers.step(id, { kind: 'click', ref: 'e2' });
    renameSync(place, away);
    const gone = { boundary: 'store', code: 'unavailable', message: expect.stringContaining('is gone.') };
    await expect(takeOvers.step(id, { kind: 'click', ref: 'e3' })).rejects.toMatchObject(gone);
    await expect(takeOvers.undo(id)).rejects.toMatchObject(gone);
    expect(existsSync(place)).toBe(false);
    renameSync(away, place);
    const { verdict: _verdict, ...looked } = await takeOvers.look(id);
    expect(looked).toMatchObject({ at: first.at, screen: first.screen, steps: first.steps });
    expect((await takeOvers.step(id, { kind: 'click', ref: 'e3' })).steps).toHaveLength(2);
    expect((await takeOvers.undo(id)).at).toBe(first.at);
    const { key } = await takeOvers.keep(id, '');
    const store = openStore({ path: join(place, 'store.db'), readOnly: true });
    const stored = [...store.episodes()].find(({ head }) => head.key === key) as StoredEpisode;
    store.close();
    expect(
      foldEpisode(stored)
        .tree.record()
        .nodes.map(node => node.id),
    ).toEqual([1, 2]);
    await source.close();
  });

  it('[STUDIO-16] lists the other branches when one of them is damaged', async () => {
    writeRun(join(folder, 'drafts'), episodes);
    const source = studioSource(folder);
    const { id } = await source.takeOvers.open({ run: 'drafts', episode: 1, node: 0, person: 'Ann', replaces: null });
    await source.takeOvers.step(id, { kind: 'click', ref: 'e2' });
    writeFileSync(join(folder, 'drafts/take-overs/bad.jsonl'), '');
    expect(source.takeOvers.drafts('drafts')).toEqual([
      expect.objectContaining({ id: 'bad', problem: expect.any(String) }),
      expect.objectContaining({ id, person: 'Ann', problem: null }),
    ]);
    await source.takeOvers.drop('bad');
    expect(source.takeOvers.drafts('drafts')).toHaveLength(1);
    await source.close();
  });

  it('[STUDIO-16] loses nothing of a branch that was not kept: it goes on after a crash, and its calls are kept', async () => {
    writeRun(join(folder, 'crashed'), episodes);
    const at = { run: 'crashed', episode: 1, node: 0, person: 'Ann', replaces: 1 };
    const before = studioSource(folder);
    const { id } = await before.takeOvers.open(at);
    await before.takeOvers.step(id, { kind: 'click', ref: 'e2' });
    await before.takeOvers.step(id, { kind: 'click', ref: 'e999' });
    await before.takeOvers.undo(id);
    // The studio dies here: nothing is closed, and a line is cut short.
    const file = join(folder, 'crashed/take-overs', `${id}.jsonl`);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"event":{"ki`);

    const after = studioSource(folder);
    expect(after.takeOvers.drafts('crashed')).toEqual([
      expect.objectContaining({ id, person: 'Ann', episode: 1, node: 0, steps: 2 }),
    ]);
    const held = await after.takeOvers.look(id);
    expect(held).toMatchObject({ person: 'Ann', replaces: { id: 1 } });
    expect(held.steps.map(({ by }) => by)).toEqual(['human Ann']);
    await after.takeOvers.letGoOn(id, 'teacher', { steps: 30 });
    expect((await after.takeOvers.keep(id, 'not that one')).outcome).toBe('passed');
    expect(after.takeOvers.drafts('crashed')).toEqual([]);
    await after.close();
    await before.close();
  });

  it('[STUDIO-17] shows environments and templates, and plays any task from its start', async () => {
    writeRun(join(folder, 'played'), episodes);
    const source = studioSource(folder);
    const [mail] = await source.tasks('played');
    expect(mail).toMatchObject({ id: 'mail', problem: null, rungs: [] });
    const star = mail?.templates.find(template => template.id === 'star-message');
    expect(star).toMatchObject({ split: 'train', episodes: 3, passed: 2 });
    const played = { run: 'played', person: 'Ann', environment: 'mail', template: 'star-message' };
    const held = await source.takeOvers.play({ ...played, seed: 5 });
    expect(held).toMatchObject({ episode: 0, notKept: null, steps: [] });
    await source.takeOvers.letGoOn(held.id, 'teacher', { steps: 30 });
    const kept = await source.takeOvers.keep(held.id, '');
    expect(kept.outcome).toBe('passed');
    expect(source.outline('played', kept.episode).row).toMatchObject({ template: 'star-message', student: 'Ann' });
    const evaluated = await source.takeOvers.play({ ...played, seed: 1_000_001 });
    expect(evaluated.notKept).toContain('for evaluation');
    await source.takeOvers.drop(evaluated.id);
    await source.close();
  });

  it('[STUDIO-6] [STUDIO-42] keeps no branch of a task that is for evaluation, and says why before anybody takes over', async () => {
    const source = studioSource(folder);
    const { rows } = await source.episodes('one', { phase: 'evaluate' }, { from: 0, count: 1, sort: '' });
    const { id } = rows[0] ?? { id: 0 };
    const held = await source.takeOvers.open({ run: 'one', episode: id, node: 0, person: 'me', replaces: null });
    expect(held.notKept).toContain('for evaluation');
    expect(source.outline('one', id).notKept).toBe(held.notKept);
    await source.takeOvers.step(held.id, { kind: 'click', ref: 'e2' });
    await expect(source.takeOvers.keep(held.id, '')).rejects.toThrow('for evaluation');
    await source.close();
  });

  it('[STUDIO-37] says that a run is being written, and loses nothing', async () => {
    writeRun(join(folder, 'busy'), episodes);
    const source = studioSource(folder);
    const held = await source.takeOvers.open({ run: 'busy', episode: 1, node: 0, person: 'me', replaces: null });
    await source.takeOvers.step(held.id, { kind: 'click', ref: 'e2' });
    const writer = openStore({ path: join(folder, 'busy/store.db') });
    await expect(source.takeOvers.keep(held.id, '')).rejects.toThrow('being written by another run');
    writer.close();
    expect((await source.takeOvers.keep(held.id, '')).outcome).toBe('failed');
    await source.close();
  });
});
