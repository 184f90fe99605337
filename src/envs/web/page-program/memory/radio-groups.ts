import type { PageListeners } from '../parts.ts';

type Radio = HTMLInputElement;

const isRadio = (target: EventTarget | null): target is Radio =>
  target !== null && (target as Element).nodeName === 'INPUT' && (target as Radio).type === 'radio';

function hasChoice(radio: Radio): boolean {
  const root = radio.getRootNode() as Partial<Document>;
  const all = root.querySelectorAll?.<Radio>('input[type=radio i]:checked') ?? [];
  return [...all].some(({ name, form }) => name === radio.name && form === radio.form);
}

/**
 * Of a group in which nothing is chosen, the browser remembers which one had the focus last: the Tab key leads there. What it
 * remembers it forgets with a choice. Counts how often that changed; to be asked whenever the page is at rest.
 */
export function watchRadioGroups(listeners: PageListeners): () => number {
  const focused = new Set<Radio>();
  const remembered = new Set<Radio>();
  let changes = 0;
  listeners.hear('focusin', (_, target) => {
    if (isRadio(target) && target.name !== '') focused.add(target);
  });
  return () => {
    const before = remembered.size;
    for (const radio of remembered) if (!radio.isConnected || hasChoice(radio)) remembered.delete(radio);
    changes += before - remembered.size;
    for (const radio of focused) {
      if (remembered.has(radio) || hasChoice(radio)) continue;
      remembered.add(radio);
      changes++;
    }
    focused.clear();
    return changes;
  };
}
