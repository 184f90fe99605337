import { signalsAsked, vocabularyOf } from '../../../analysis/signals/signal-values.ts';
import { signals } from '../../../analysis/signals/signals.ts';
import { readCondition } from '../../../analysis/filter/where.ts';
import { EspalierError } from '../../../core/errors.ts';
import { annotationsPath } from '../../../runs/annotations/annotate.ts';
import { readHeader, storeKey } from '../../../runs/annotations/annotations-file.ts';
import { selectEpisodes } from '../../../runs/annotations/select.ts';
import { openRun } from '../../../runs/folder/folder.ts';
import type { Host } from '../../../runs/host/host.ts';
import type { RunIndex } from '../run-index.ts';

export interface WhereFilterOptions {
  readonly folder: string;
  readonly host: Host;
  index(): RunIndex;
}

/** The ids of the episodes that meet a condition in the language of --where. */
export type WhereFilter = (where: string) => Promise<ReadonlySet<number>>;

/** Runs up to this size are annotated when a condition asks for a signal; larger ones would hold up the server. */
const mostAnnotated = 1000;
const mostKept = 20;
/** While a run is written, an answer is used again for so long. */
const keptMilliseconds = 5000;

interface Answer {
  readonly version: number;
  readonly at: number;
  readonly ids: Promise<ReadonlySet<number>>;
}

export function createWhereFilter(options: WhereFilterOptions): WhereFilter {
  const answers = new Map<string, Answer>();
  return where => {
    const version = options.index().version();
    const now = options.host.clock.now();
    const known = answers.get(where);
    if (known !== undefined && (known.version === version || now - known.at < keptMilliseconds)) return known.ids;
    if (answers.size >= mostKept) answers.clear();
    const ids = findIds(options, where);
    answers.set(where, { version, at: now, ids });
    ids.catch(() => answers.delete(where));
    return ids;
  };
}

async function findIds({ folder, host, index }: WhereFilterOptions, where: string): Promise<ReadonlySet<number>> {
  const { names } = readCondition(where, vocabularyOf(signals.entries));
  const asksSignals = signalsAsked(names, signals.entries).length > 0;
  const store = openRun(folder);
  try {
    if (asksSignals && index().rows().length > mostAnnotated) {
      if (readHeader(annotationsPath(folder))?.store !== storeKey(store)) throw notAnnotated(folder);
    }
    const { source } = await selectEpisodes(store, { where, folder, host });
    const chosen = new Set(Array.from(source.summaries(), ({ head }) => `${head.run} ${head.key}`));
    const rows = index().rows();
    return new Set(rows.filter(({ run, key }) => chosen.has(`${run} ${key}`)).map(({ id }) => id));
  } finally {
    store.close();
  }
}

function notAnnotated(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `This run has more than ${mostAnnotated} episodes, and its signals are not up to date.`,
    expected: `Run espalier annotate ${folder} first.`,
  });
}
