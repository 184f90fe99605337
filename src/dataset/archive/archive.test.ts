import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor, run, runOne } from '../../../test/fixtures/episode-setup.ts';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { clicks, sketched, type Sketch } from '../../../test/fixtures/archive/sketched-candidate.ts';
import type { Action } from '../../core/action.ts';
import type { Certificate } from '../../core/episode/certificate.ts';
import type { Outcome } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createRandom } from '../../core/random.ts';
import { createWorld } from '../../worlds/world.ts';
import { createScripted } from '../../agents/scripted.ts';
import { createBestOfN } from '../../episode/strategies/best-of-n.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { archiveGates, bounded, counted, defaultDescriptors, directness, dominantAction } from './archive-rules.ts';
import { createArchive, type ArchiveEntry, type ArchiveOptions } from './archive.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';

function filled(candidates: readonly Candidate[], options?: ArchiveOptions): readonly ArchiveEntry[] {
  const archive = createArchive(options);
  for (const candidate of candidates) archive.offer(candidate);
  return archive.entries();
}

/** The labels of a candidate. */
const binOf = (candidate: Candidate): string[] => defaultDescriptors.map(({ of }) => of(candidate));

const indexes = (entries: readonly ArchiveEntry[]): number[] => entries.map(({ index }) => index);

const anySketch = fc.record({
  steps: fc.integer({ min: 1, max: 70 }),
  interventions: fc.integer({ min: 0, max: 8 }),
  template: fc.constantFrom('a', 'b'),
  seed: fc.integer({ min: 1, max: 2 }),
  outcome: fc.constantFrom<Outcome>('passed', 'passed', 'passed', 'failed', 'discarded'),
  repeats: fc.integer({ min: 1, max: 6 }),
});

const anyCandidates = fc.array(anySketch, { maxLength: 40, size: 'max' }).map(sketches =>
  sketches.map(({ repeats, ...sketch }, index) =>
    sketched({
      ...sketch,
      index,
      interventions: Math.min(sketch.interventions, sketch.steps),
      pass: sketch.outcome === 'passed',
      action: step => clicks(Math.floor(step / repeats)),
    }),
  ),
);

describe('archive', () => {
  it.each([
    ['verdict', { pass: false, outcome: 'failed' }],
    ['verdict', { pass: null, outcome: 'discarded' }],
    ['verdict', { pass: true, outcome: 'discarded' }],
    ['steps', { steps: 61 }],
    ['repeats', { steps: 5, action: () => clicks(0) }],
    ['interventions', { steps: 10, interventions: 7 }],
  ] satisfies [string, Sketch][])('[ARC-1] [ARC-4] the gate %s keeps out %o, and nothing changes', (gate, sketch) => {
    const archive = createArchive();
    archive.offer(sketched());
    const before = archive.entries();
    expect(archive.offer(sketched({ index: 1, ...sketch }))).toEqual({ admitted: false, gate, displaced: null });
    expect(archive.entries()).toEqual(before);
    expect(archive.figures().gates.find(({ name }) => name === gate)?.rejected).toBe(1);
  });

  it('[CERT-8] lets nothing in that needs a certificate and has none that agrees, whatever its gates are', () => {
    const replayed = { leaf: 3, milliseconds: 5 };
    const agreed: Certificate = { result: 'agreed', ...replayed };
    const broken: Certificate = { result: 'broken', message: 'the page is gone', ...replayed };
    const difference = { step: 2, node: 2, what: 'digest', expected: 'd2', got: 'd9' } as const;
    const diverged: Certificate = { result: 'diverged', ...difference, ...replayed };
    const gateOf = (certificates: readonly Certificate[], options?: ArchiveOptions): string | null =>
      createArchive(options).offer(sketched({ certification: 'by-replay', certificates })).gate;
    for (const options of [{}, { gates: [] }]) {
      expect(gateOf([agreed], options)).toBeNull();
      expect(gateOf([broken, agreed], options)).toBeNull();
      for (const certificates of [[], [broken], [diverged], [broken, diverged], [{ ...agreed, leaf: 2 }]])
        expect(gateOf(certificates, options)).toBe('certificate');
      // A divergence stays one, whatever came beside.
      expect(gateOf([diverged, agreed], options)).toBe('certificate');
    }
    expect(createArchive().offer(sketched({ certification: 'none' })).admitted).toBe(true);
    const archive = createArchive();
    archive.offer(sketched({ certification: 'by-replay' }));
    expect(archive.figures().gates.at(-1)).toMatchObject({ name: 'certificate', rejected: 1 });
    expect(archive.entries()).toEqual([]);
  });

  it('[ARC-1] lets in what is just within the limits, which are options', () => {
    const edge = [
      sketched({ steps: 60 }),
      sketched({ index: 1, steps: 4, action: () => clicks(0) }),
      sketched({ index: 2, steps: 10, interventions: 6 }),
    ];
    expect(filled(edge)).toHaveLength(3);
    const gates = archiveGates({ steps: 59, repeats: 3, interventions: 5 });
    expect(filled(edge, { gates })).toEqual([]);
  });

  it('[ARC-2] keeps the three best of a bin: quality, then shorter, then fewer interventions, then older', () => {
    const quality = ({ record }: Candidate): number | null =>
      [null, 0.5, 0.9, 0.9, 0.9, 0.9][record.head.index] ?? null;
    const candidates = [
      sketched({ index: 0, steps: 1 }),
      sketched({ index: 1, steps: 1 }),
      sketched({ index: 2, steps: 5 }),
      sketched({ index: 3, steps: 4 }),
      sketched({ index: 4, steps: 4 }),
      sketched({ index: 5, steps: 4 }),
    ];
    expect(indexes(filled(candidates, { quality }))).toEqual([3, 4, 5]);
    expect(indexes(filled(candidates.slice(0, 3), { quality, perBin: 2 }))).toEqual([1, 2]);
    expect(indexes(filled(candidates, { quality, perBin: 1 }))).toEqual([3]);
    const wide = { descriptors: [dominantAction], quality: () => 1, perBin: 1 };
    const helped = [sketched({ interventions: 2 }), sketched({ index: 1, interventions: 1 })];
    expect(indexes(filled(helped, wide))).toEqual([1]);
  });

  it('[ARC-2] ranks trajectories of one bin by how direct they are: detours and refused steps count against them', () => {
    const through = (index: number, states: readonly string[]): Candidate => {
      const candidate = sketched({ index, steps: states.length - 1 });
      const path = candidate.path.map((node, step) => ({
        ...node,
        before: states[step] as string,
        after: states[step + 1] as string,
      }));
      return { ...candidate, path };
    };
    const looped = through(0, ['a', 'b', 'a', 'b', 'c']);
    const idle = through(1, ['a', 'a', 'b', 'c']);
    const direct = through(2, ['a', 'b', 'c', 'd', 'e', 'f']);
    expect([looped, idle, direct].map(directness)).toEqual([0.5, 2 / 3, 1]);
    expect(new Set([looped, idle, direct].map(candidate => JSON.stringify(binOf(candidate)))).size).toBe(1);
    expect(indexes(filled([looped, idle, direct], { perBin: 1 }))).toEqual([2]);
    expect(indexes(filled([looped, idle], { perBin: 1 }))).toEqual([1]);
  });

  it('[ARC-9] bins by task; by template when asked, and without a bound when all are wanted', () => {
    const tasks = [1, 2].flatMap(seed => [0, 1, 2, 3].map(index => sketched({ seed, index })));
    expect(filled(tasks)).toHaveLength(6);
    expect(filled(tasks, { scope: 'template' })).toHaveLength(3);
    expect(filled(tasks, { scope: 'template', perBin: 'all' })).toHaveLength(8);
  });

  it('[ARC-2] takes an earlier round for older, whatever the places in the plans', () => {
    const rounds = [
      { round: 2, index: 0 },
      { round: 1, index: 5 },
      { round: 1, index: 7 },
    ].map(sketched);
    const kept = filled(rounds, { perBin: 2 }).map(({ round, index }) => [round, index]);
    expect(kept).toEqual([
      [1, 5],
      [1, 7],
    ]);
  });

  it('[ARC-3] does not call admitted what is cut at once', () => {
    const archive = createArchive();
    for (const index of [1, 2, 3]) expect(archive.offer(sketched({ index })).admitted).toBe(true);
    expect(archive.offer(sketched({ index: 4 }))).toEqual({ admitted: false, gate: null, displaced: null });
    expect(indexes(archive.entries())).toEqual([1, 2, 3]);
    const { admitted, displaced } = archive.offer(sketched({ index: 0 }));
    expect([admitted, displaced?.index]).toEqual([true, 3]);
  });

  it('[ARC-3] says admitted only of what is in the archive afterwards, and names what had to leave', () => {
    fc.assert(
      fc.property(anyCandidates, candidates => {
        const archive = createArchive({ descriptors: [dominantAction] });
        for (const candidate of candidates) {
          const before = archive.entries();
          const { admitted, displaced } = archive.offer(candidate);
          const after = archive.entries();
          const isIn = after.some(({ episode }) => episode === candidate.record.head.key);
          expect(admitted).toBe(isIn);
          const left = before.filter(({ episode }) => !after.some(entry => entry.episode === episode));
          expect(displaced === null ? [] : [displaced]).toEqual(left);
          expect(admitted ? null : after).toEqual(admitted ? null : before);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('[ARC-5] holds the same whatever the order of the offers, and however often they come', () => {
    fc.assert(
      fc.property(anyCandidates, fc.integer(), (candidates, seed) => {
        const shuffled = createRandom(seed).shuffle([...candidates, ...candidates]);
        for (const scope of ['template', 'task'] as const) {
          const quality = ({ path }: Candidate): number | null => (path.length % 3 === 0 ? null : path.length % 2);
          expect(filled(shuffled, { scope, quality })).toEqual(filled(candidates, { scope, quality }));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('[ARC-6] bins by the very labels that are listed', () => {
    expect(defaultDescriptors.map(({ name, labels }) => [name, labels])).toEqual([
      ['length', ['≤5', '≤12', '≤25', '>25']],
      ['action', ['click', 'fill', 'select', 'call', 'finish']],
      ['interventions', ['0', '1', '2', '3+']],
    ]);
    const [length, , interventions] = defaultDescriptors;
    const labels = [1, 5, 6, 12, 13, 25, 26, 60].map(steps => length?.of(sketched({ steps })));
    expect(labels).toEqual(['≤5', '≤5', '≤12', '≤12', '≤25', '≤25', '>25', '>25']);
    expect([0, 1, 2, 3, 6].map(count => interventions?.of(sketched({ steps: 9, interventions: count })))).toEqual([
      '0',
      '1',
      '2',
      '3+',
      '3+',
    ]);
    fc.assert(
      fc.property(anyCandidates, candidates => {
        for (const { bin } of filled(candidates, { perBin: 50 })) {
          bin.forEach((label, place) => expect(defaultDescriptors[place]?.labels).toContain(label));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('[ARC-6] refuses labels that are not listed, bounds out of order, and a quality that is no number', () => {
    const sly = { ...counted('sly', 1, () => 0), of: () => 'elsewhere' };
    expect(() => filled([sketched()], { descriptors: [sly] })).toThrow('gave the label "elsewhere"');
    expect(() => bounded('length', [5, 5], () => 0)).toThrow('each larger');
    expect(() => bounded('length', [], () => 0)).toThrow('at least one');
    expect(() => filled([sketched()], { quality: () => Number.NaN })).toThrow('quality');
    expect(() => createArchive({ perBin: 0 })).toThrow('whole number');
  });

  it('[ARC-6] takes the kind of most steps, the finish aside, the first listed of equals', () => {
    const kinds = (...list: Action[]): string =>
      dominantAction.of(sketched({ steps: list.length, action: step => list[step] as Action }));
    const fill: Action = { kind: 'fill', ref: 'e1', text: 'x' };
    const finish: Action = { kind: 'finish' };
    expect(kinds(fill, fill, clicks(0), finish, finish, finish)).toBe('fill');
    expect(kinds(fill, clicks(0))).toBe('click');
    expect(kinds(finish)).toBe('finish');
  });

  it('[ARC-7] takes every leaf by itself, with the corrections on its own path', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 2, branch: 'passing' }));
    const candidates = candidatesOf(record);
    expect(candidates.map(({ role, interventions }) => [role, interventions])).toEqual([
      ['main', 2],
      ['rejected', 0],
      ['rejected', 1],
    ]);
    expect(filled(candidates).map(({ leaf }) => leaf)).toEqual(
      candidates.map(({ leaf }) => leaf).toSorted((a, b) => a - b),
    );
    const failing = candidatesOf(foldEpisode(await scriptedEpisode({ slips: 1, branch: 'failing' })));
    expect(filled(failing).map(({ leaf }) => leaf)).toEqual([failing[0]?.leaf]);
    expect(candidatesOf(foldEpisode(await scriptedEpisode({ slips: 1, outcome: 'errored' })))).toEqual([]);
  });

  it('[ARC-7] takes a branch that passed where its episode was given up', async () => {
    const world = createWorld(app);
    const lending = world.task('lend-to-reader', 3);
    const parts = { environment: world, student: createScripted({ actions: planFor(world.open(lending)) }) };
    const { head, events, end, certificates } = (
      await run({ tasks: [lending], parts: { ...parts, strategy: createLinear() } })
    ).stored[0] as StoredEpisode;
    // As a strategy that gives up where a branch of its own has passed.
    const record = foldEpisode({
      head,
      certificates,
      end: { ...end, outcome: 'discarded', verdict: null },
      events: events.map(event => (event.kind === 'leaf' ? { ...event, role: 'rejected', from: 4 } : event)),
    });
    expect(record.leaves).toMatchObject([{ node: 4, role: 'rejected', verdict: { pass: true } }]);
    const candidates = candidatesOf(record);
    expect(candidates.map(({ leaf, role, verdict }) => [leaf, role, verdict?.pass])).toEqual([[4, 'rejected', true]]);
    expect(filled(candidates).map(({ leaf }) => leaf)).toEqual([4]);
    const sampled = await runOne({ task: lending, parts: { ...parts, strategy: createBestOfN({ attempts: 2 }) } });
    expect(candidatesOf(sampled).map(({ leaf, role }) => [leaf, role])).toEqual([
      [4, 'main'],
      [8, 'sample'],
    ]);
  });
});
