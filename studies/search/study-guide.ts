import { basename } from 'node:path';
import { openSmall, smallNamed } from '../../src/runs/agents/students/small.ts';
import type { Guide, Solver } from './search-run.ts';
import type { SearchStudyChoices } from './study-choices.ts';
import { weightsOf } from './study-students.ts';

interface GuideSetting {
  readonly choices: Pick<SearchStudyChoices, 'holdOut'>;
  /** What somebody chose; null for the students that the study trains. */
  readonly given: GivenGuide | null;
}

/** What guides the searches of an app; null for words alone. */
export function guideFor({ choices, given }: GuideSetting, student: string | null, app: string): Guide | null {
  const learned = student === null ? null : weightsOf(student);
  const { weight = 0, usesLearned = false } =
    (choices.holdOut.includes(app) ? learned?.otherApps : learned?.knownApps) ?? {};
  const features = usesLearned ? (learned?.features ?? null) : null;
  if (given !== null) return { ...given, features };
  return student === null ? null : { file: student, name: basename(student), weight, features };
}

export type GivenGuide = Omit<Guide, 'features'>;

/** The guide that somebody chose; the hash of a model is in its name, as another may be served at its address the next time. */
export async function givenGuide({
  guide: file,
  weight = 0.5,
}: Pick<SearchStudyChoices, 'guide' | 'weight'>): Promise<GivenGuide | null> {
  if (file === undefined) return null;
  const small = smallNamed(file);
  return { file, weight, name: small === null ? basename(file) : (await openSmall(small.folder)).identity };
}

/** A student without search. */
export function studentSolver(file: string): Solver {
  const small = smallNamed(file);
  if (small === null) return { kind: 'student', file };
  return { kind: 'agents', student: { ...small, temperature: 0 }, strategy: { kind: 'linear' } };
}
