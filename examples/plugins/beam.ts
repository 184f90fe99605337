import { z, type Conclusion, type Episode, type Strategy, type Verdict } from 'espalier';

/** What `--set strategy.options.…` may say. */
export const options = z.strictObject({
  width: z.int().min(1).max(8).default(3).describe('cursors at once'),
});

interface Ended {
  readonly leaf: number;
  readonly verdict: Verdict;
  readonly steps: number;
}

/** Several cursors of the student in one tree; one that reaches a state that was seen before gives way to the others. */
export function strategy({ width }: z.infer<typeof options>): Strategy {
  return {
    name: `beam ${width}`,
    asksTeacher: false,
    limits: { forks: width - 1, leaves: width },
    async run(episode) {
      const ends: Ended[] = [];
      const seen = new Set([episode.tree.root]);
      let beam = [episode];
      // Each is forked from the last: forks fork.
      const most = Math.min(width, episode.left('forks') + 1, episode.left('leaves'));
      while (beam.length < most) beam.push(await (beam.at(-1) as Episode).fork());
      while (beam.length > 0) {
        const going: Episode[] = [];
        for (const [index, cursor] of beam.entries()) {
          const decision = hasMeans(cursor) ? await cursor.act() : { action: null };
          if (decision.action === null) {
            ends.push(await end(cursor));
            continue;
          }
          const { after } = await cursor.step({ ...decision, action: decision.action });
          const isLast = going.length === 0 && index === beam.length - 1 && ends.length === 0;
          if (cursor.ended() !== null || cursor.left('steps') === 0) ends.push(await end(cursor));
          else if (!seen.has(after) || isLast) going.push(cursor);
          else await cursor.close();
          seen.add(after);
        }
        beam = going;
      }
      return best(ends);
    },
  };
}

/** Budgets are for a strategy to keep: what goes beyond one is an error. */
function hasMeans(cursor: Episode): boolean {
  return cursor.left('steps') > 0 && cursor.left('queries') > 0;
}

async function end(cursor: Episode): Promise<Ended> {
  const verdict = await cursor.verify();
  cursor.leaf({ role: 'beam', verdict, from: null });
  const leaf = cursor.at();
  await cursor.close();
  return { leaf, verdict, steps: cursor.tree.path(leaf).length };
}

/** What passed comes first, then the shorter. */
function best(ends: readonly Ended[]): Conclusion {
  const [first] = ends.toSorted((a, b) => Number(b.verdict.pass) - Number(a.verdict.pass) || a.steps - b.steps);
  const { leaf, verdict } = first as Ended;
  return { kind: 'verified', leaf, verdict, reason: verdict.pass ? null : 'no cursor passed' };
}
