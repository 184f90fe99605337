import { failureReason, runAlone, type Strategy } from './strategy.ts';

/** The student alone, from the start to its end: how policies are evaluated and demonstrations are made. */
export function createLinear(): Strategy {
  return {
    name: 'linear',
    asksTeacher: false,
    async run(episode) {
      const stopped = await runAlone(episode);
      const verdict = await episode.verify();
      episode.leaf({ role: 'main', verdict, from: null });
      return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
    },
  };
}
