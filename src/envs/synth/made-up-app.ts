import type { App } from '../../worlds/app/app.ts';
import { createSynthApp } from './app/synth-app.ts';
import type { SynthState } from './app/model.ts';
import type { Spec } from './spec/schema.ts';
import { createWideApp } from './wide/wide-app.ts';

/** The app that a spec describes. */
export function createMadeUpApp(spec: Spec): App<SynthState> {
  return spec.wide === undefined ? createSynthApp(spec) : createWideApp(spec);
}
