/** What tasks are forged from. */
export const forgeKinds = [
  'commands',
  'chains',
  'conflicts',
  'questions',
  'walks',
  'requests',
  'events',
  'days',
] as const;
export type ForgeKind = (typeof forgeKinds)[number];
