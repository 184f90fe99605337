export { z } from 'zod';
export { appKit, defineApp, type App, type AppDefinition, type AppKit } from './kernel/app.ts';
export type { Command, CommandBody, QueryBody } from './kernel/command.ts';
export type { Check, TemplateBody } from './kernel/template.ts';
export { environments, openBuiltIn, type EnvironmentEntry } from './catalog.ts';
export { createWorld, type WorldOptions } from './kernel/world.ts';
export { added, find, need, nextId, paginate, plain, remove, type Page } from './kernel/table.ts';
export {
  alert,
  banner,
  button,
  cell,
  checkbox,
  combobox,
  dialog,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  page,
  radio,
  region,
  row,
  searchBox,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  type Child,
} from './kernel/elements.ts';
export { actionSchema, describeAction, type Action } from './core/action.ts';
export { refuse, DivergenceError, EspalierError } from './core/errors.ts';
export { createRandom, type Random } from './core/random.ts';
export type {
  Candidate,
  Environment,
  Plan,
  Planner,
  Session,
  Snapshot,
  StateEnvironment,
  StateSession,
  TemplateInfo,
  ToolInfo,
  Verifier,
} from './core/contracts.ts';
export { sealTask, type Observation, type StepOutcome, type Task, type Verdict } from './core/records.ts';
export type { UiNode, UiRole, UiState } from './core/ui.ts';
export { createDigest, type Digest } from './core/digest.ts';
export { diff, invert, patch, type Change } from './core/diff.ts';
export { createManualClock, type Clock } from './core/clock.ts';
export { createTree, readTree, type Actor, type Tree, type TreeNode } from './core/tree.ts';
export { createTrail } from './kernel/trail.ts';
export type { Rollback, Trail } from './core/episode/trail.ts';
export { withNoise, type NoiseOptions } from './kernel/wrappers/noise.ts';
export { withStepLimit } from './kernel/wrappers/step-limit.ts';
export { varyApp, type VariationOptions } from './kernel/wrappers/variation.ts';
export { createPlanner, type PlannerOptions } from './policies/planner.ts';
