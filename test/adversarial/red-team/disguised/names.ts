import type { Random } from '../../../../src/core/random.ts';

/** Words that tools of ordinary apps have. A disguise is drawn from one list; the other was kept back while detectors were written. */
const words = {
  open: {
    verbs: ['update', 'refresh', 'sync', 'toggle', 'adjust', 'lookup', 'arrange', 'archive', 'mark', 'prepare'],
    nouns: ['settings', 'view', 'items', 'panel', 'layout', 'list', 'folder', 'draft', 'entry', 'board'],
    fields: ['value', 'mode', 'level', 'size', 'option', 'amount'],
  },
  heldBack: {
    verbs: ['apply', 'choose', 'collect', 'find', 'group', 'highlight', 'move', 'publish', 'rename', 'share'],
    nouns: ['profile', 'theme', 'table', 'widget', 'summary', 'calendar', 'shelf', 'note', 'batch', 'menu'],
    fields: ['step', 'width', 'number', 'rank', 'choice', 'position'],
  },
} as const;

export type WordList = keyof typeof words;

export interface ToolName {
  readonly tool: string;
  /** Of its input. */
  readonly field: string;
}

/** So many different names. */
export function drawNames(list: WordList, many: number, random: Random): readonly ToolName[] {
  const { verbs, nouns, fields } = words[list];
  const all = verbs.flatMap(verb => nouns.map(noun => `${verb}_${noun}`));
  return random.sample(all, many).map(tool => ({ tool, field: random.pick(fields) }));
}
