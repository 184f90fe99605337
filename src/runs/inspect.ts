import type { EpisodeFilter, EpisodeSource, EpisodeSummary, StoredEpisode } from '../core/episode/journal.ts';
import type { EpisodeHead, Outcome } from '../core/episode/events.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';

export interface Wanted {
  readonly outcome?: Outcome | undefined;
  /** `star-message`, or `mail/star-message`. */
  readonly template?: string | undefined;
}

/** `student ranker`, `teacher planner`. A name that says its role stands alone. */
export function agentTexts({ student, teacher }: Pick<EpisodeHead, 'student' | 'teacher'>): string[] {
  const text = (role: string, name: string): string => (name.startsWith(role) ? name : `${role} ${name}`);
  return [text('student', student), ...(teacher === null ? [] : [text('teacher', teacher)])];
}

/** Finds episodes by outcome and template. */
export function* findEpisodes(source: EpisodeSource, { outcome, template }: Wanted): Generator<EpisodeSummary> {
  for (const summary of source.summaries(outcome === undefined ? {} : { outcome })) {
    const { task } = summary.head;
    if (template === undefined || template === task.template || template === `${task.environment}/${task.template}`)
      yield summary;
  }
}

/** The episode with this key, or those whose key contains it. */
export function episodesNamed(source: EpisodeSource, name: string): EpisodeSummary[] {
  const summaries = [...source.summaries()];
  const exact = summaries.filter(({ head }) => head.key === name);
  return exact.length > 0 ? exact : summaries.filter(({ head }) => head.key.includes(name));
}

/** Finds the episode with this key, or the only one whose key contains it. */
export function findEpisode(source: EpisodeSource, name: string): StoredEpisode {
  const heads = [...source.summaries()].map(({ head }) => head);
  const near = episodesNamed(source, name).map(({ head }) => head);
  const head = near[0];
  if (head === undefined || near.length > 1)
    throw notOne(
      name,
      near.map(({ key }) => key),
      heads.length,
    );
  const filter: EpisodeFilter = { run: head.run, phase: head.phase, round: head.round };
  for (const episode of source.episodes(filter)) if (episode.head.key === head.key) return episode;
  throw notOne(name, [], heads.length);
}

function notOne(name: string, found: readonly string[], all: number): EspalierError {
  const shown = found.slice(0, 3).join(', ');
  return invalidOption(
    found.length === 0
      ? `None of the ${all} finished episodes is called "${name}".`
      : `"${name}" is part of ${found.length} keys: ${shown}${found.length > 3 ? ', …' : ''}.`,
    'Expected a key as espalier inspect <run> lists it, or enough of one to tell it from the others.',
  );
}
