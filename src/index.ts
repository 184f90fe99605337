export { z } from 'zod';
export { appKit, defineApp, type App, type AppDefinition, type AppKit } from './kernel/app.ts';
export type { Command, CommandBody, QueryBody } from './kernel/command.ts';
export type { Check, TemplateBody } from './kernel/template.ts';
export { createWorld } from './kernel/world.ts';
export { added, find, need, nextId, paginate, remove, type Page } from './kernel/table.ts';
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
