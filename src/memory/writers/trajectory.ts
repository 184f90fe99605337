import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { NewItem } from '../item.ts';
import { patternOf, provenanceOf, takenSteps } from './writer.ts';

/** A whole way that passed; nothing where no step was taken. */
export function trajectoryOf(writer: string, record: EpisodeRecord): NewItem[] {
  const steps = takenSteps(record);
  if (steps.length === 0) return [];
  const pattern = patternOf(record);
  const text = steps.map(({ line }) => line).join('; ');
  return [{ kind: 'trajectory', title: pattern, text, pattern, steps, provenance: provenanceOf(writer, [record]) }];
}
