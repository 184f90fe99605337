import type { Site } from '../../sessions/site.ts';
import { createWaiFiles } from '../wai/files.ts';
import { readResult, startEpisode, type EpisodeName } from './episode.ts';
import type { MiniwobFolder } from './folder.ts';
import { createMiniwobVerdict } from './verdict.ts';

/** The pages of a folder, as sites. */
export interface MiniwobSites {
  /** A page behind its cover: nothing in it depends on a seed. */
  page(template: string): Site;
  /** A page with an episode started in it; `hear` is given the instruction. */
  episode(name: EpisodeName, hear: (instruction: string) => void): Site;
}

/** Nobody listens there: the files come from memory. Always the same, as pages keep their address in their data. */
const origin = 'http://127.0.0.1';
/** Monday morning: dates in the page are told from here. */
const start = Date.UTC(2026, 1, 2, 9);

export function createMiniwobSites({ root, pages }: MiniwobFolder): MiniwobSites {
  const files = createWaiFiles(root);
  const paths = new Map(pages.map(({ template, path }) => [template, path]));
  const page = (template: string): Site => ({
    url: origin + (paths.get(template) ?? `/${template}`),
    headers: {},
    start,
    seed: 1,
    files: path => files.read(path),
    // What genProblem and the generator of chance hold is in closures.
    keeps: false,
    capture: () => ({ text: '' }),
    restore: () => null,
    isOver: async ask => (await readResult(ask)).done,
    verify: async (ending, ask) => createMiniwobVerdict(await readResult(ask), ending),
    close: () => undefined,
  });
  return {
    page,
    episode: (name, hear) => ({
      ...page(name.template),
      begin: async ask => hear(await startEpisode(ask, name)),
    }),
  };
}
