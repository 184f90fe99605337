import type { NewItem } from '../item.ts';
import { provenanceOf, takenSteps, type Experience } from './writer.ts';

/** A whole way that passed; nothing where no step was taken. */
export function trajectoryOf(writer: string, record: Experience): NewItem[] {
  const steps = takenSteps(record);
  if (steps.length === 0) return [];
  const pattern = record.pattern;
  const text = steps.map(({ line }) => line).join('; ');
  return [{ kind: 'trajectory', title: pattern, text, pattern, steps, provenance: provenanceOf(writer, [record]) }];
}
