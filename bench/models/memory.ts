import { figure, type Figure } from '../measure.ts';
import { startChild } from './child.ts';
import type { WaitingNews, WaitingOptions } from './waiting.ts';

const episodes = 1000;

/** KiB that an episode holds while it waits for a model in the middle of its way: heap or all memory, whichever is more. */
export async function episodeMemory(folder: string): Promise<Figure> {
  const options: WaitingOptions = { folder, episodes };
  const child = startChild<WaitingNews>('waiting', options);
  try {
    const { heap, resident } = await child.heard();
    return figure('models.episode-memory', 'KiB', [Math.max(heap, resident) / episodes]);
  } finally {
    await child.close();
  }
}
