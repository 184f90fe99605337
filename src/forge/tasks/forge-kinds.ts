/** What tasks are forged from. */
export const forgeKinds = ['commands', 'chains', 'conflicts', 'questions', 'walks', 'requests', 'events'] as const;
export type ForgeKind = (typeof forgeKinds)[number];
