import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { perfectTeacher, run, studentBy, tasksOf } from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../test/fixtures/memory-journal.ts';
import { drawn, drawnWorld } from '../../test/fixtures/pictures/drawn-world.ts';
import type { Action } from '../core/action.ts';
import { mail } from '../envs/apps/mail/mail.ts';
import { createWorld } from '../worlds/world.ts';
import { createSpeculativeRollback } from './strategies/speculative-rollback.ts';

const world = createWorld(mail);
const tasks = tasksOf(world, 'star-message', [1, 2]);
const strategy = createSpeculativeRollback({ speculate: 2 });
const teacher = perfectTeacher;
const student = studentBy(step => ({ action: { kind: 'click', ref: `e${step + 2}` } satisfies Action }));

describe('pictures in an episode', () => {
  it('[PIC-6] every step names the picture of the screen it was taken on, and where on it', async () => {
    const journal = createMemoryJournal();
    const environment = drawnWorld(world);
    const { records } = await run({ tasks, journal, parts: { environment, student, teacher, strategy } });
    for (const record of records) {
      expect(record.rollbacks.length).toBeGreaterThan(0);
      const nodes = record.tree.record().nodes;
      for (const { id, action } of nodes) {
        const seen = drawn({ text: record.situation(id).screen });
        const shot = record.shot(id);
        expect(shot?.hash).toBe(hash('sha256', seen.image!.data, 'hex'));
        expect(shot).toMatchObject({ type: 'image/png', width: 320, height: 240 });
        expect(journal.attachment(shot!.hash)).toEqual(seen.image!.data);
        const aimed = action.kind === 'click' || action.kind === 'fill' ? action.ref : null;
        const box = seen.layout!.elements.find(({ ref }) => ref === aimed)?.box ?? null;
        expect(shot?.target).toEqual(box);
      }
      expect(nodes.some(({ id }) => record.shot(id)?.target !== null)).toBe(true);
    }
  });

  it('[PIC-6] are all that differs from the same episode without them', async () => {
    const parts = { student, teacher, strategy };
    const plain = await run({ tasks, parts: { ...parts, environment: world } });
    const pictured = await run({ tasks, parts: { ...parts, environment: drawnWorld(world) } });
    const bare = pictured.stored.map(({ events, ...rest }) => ({
      ...rest,
      events: events.map(event => {
        if (event.kind !== 'step') return event;
        const { image: _image, target: _target, ...bareEvent } = event;
        return bareEvent;
      }),
    }));
    expect(bare).toEqual(plain.stored);
    expect(plain.records[0]?.shot(1)).toBeNull();
    expect(Object.keys(plain.stored[0]?.events.find(({ kind }) => kind === 'step') ?? {})).not.toContain('image');
  });

  it('[ROL-9] a store that cannot take a picture stops the run loudly, and shows nothing of the episode', async () => {
    const journal = createMemoryJournal();
    const failing = {
      ...journal,
      begin(head: Parameters<typeof journal.begin>[0]) {
        const attach = (): never => {
          throw new Error('no space left on device');
        };
        return { ...journal.begin(head), attach };
      },
    };
    const parts = { environment: drawnWorld(world), student, teacher, strategy };
    await expect(run({ tasks, journal: failing, parts })).rejects.toThrow(
      expect.objectContaining({ boundary: 'store', message: expect.stringMatching(/no space left on device/) }),
    );
    expect([...journal.episodes()]).toEqual([]);
  });
});
