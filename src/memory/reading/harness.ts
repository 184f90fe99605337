import { describeStep, type PastStep } from '../../core/episode/view.ts';
import { generalLine } from './slots.ts';
import type { Advice, Here, Reader } from './here.ts';

/**
 * What an agent edits inside an episode, from its own steps so far, every few steps: steps that were refused or changed
 * nothing on this very screen are avoided, and the step that followed the last one before is preferred.
 */
export const readHarness: Reader = here => {
  const [harness] = here.memory.index.ofKind('harness');
  const { path, observation } = here.view;
  if (harness === undefined) return [];
  // Edits are made every few steps: what came after the last edit is not known yet.
  const known = path.slice(0, path.length - (path.length % harness.content.every));
  const screens = [...path.map(({ screen }) => screen), observation.text];
  const idle = known.filter(
    (step, at) => step.screen === observation.text && (!step.applied || screens[at + 1] === step.screen),
  );
  const advice = (how: Advice['how'], line: string): Advice => ({ item: harness.id, how, line, weight: 0.25 });
  const avoided = new Set(idle.map(step => lineOf(step, here)));
  const repeated = known.findLastIndex((step, at) => at < path.length - 1 && lineOf(step, here) === here.before);
  const next = repeated < 0 ? undefined : path[repeated + 1];
  const followed = next === undefined ? [] : [lineOf(next, here)];
  return [
    ...[...avoided].map(line => advice('avoid', line)),
    ...followed.filter(line => !avoided.has(line)).map(line => advice('prefer', line)),
  ];
};

function lineOf({ action, screen }: PastStep, { literals }: Here): string {
  return generalLine(describeStep(action, screen), literals);
}
