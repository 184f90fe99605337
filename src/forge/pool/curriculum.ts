import type { Band } from './admit-task.ts';

/** What is known of the student's skill at one template. */
export interface Skill {
  readonly template: string;
  readonly tries: number;
  /** Share of its trials that the student passed; null when no task of the template came as far as a trial. */
  readonly passRate: number | null;
  /** Whether the student is between never and always. */
  readonly isFrontier: boolean;
}

export interface Curriculum {
  /** The template to try next. */
  next(): { readonly template: string; readonly seed: number };
  /** Takes down how the student did on a task; null when the task was dropped before. */
  note(template: string, passRate: number | null): void;
  /** Templates at the frontier first, the weakest of them first. */
  skills(): readonly Skill[];
}

/** So many tries go to a template at the frontier for each that goes to another one. */
const frontierShare = 4;

/**
 * Chooses what to forge next by how the student does: every template once, then those most often where the student is
 * between never and always, the weakest of them first. The others are tried now and then, as students change.
 */
export function createCurriculum(templates: readonly string[], band: Band): Curriculum {
  const tries = new Map<string, number>();
  const rates = new Map<string, number[]>();
  const skillOf = (template: string): Skill => {
    const known = rates.get(template) ?? [];
    const passRate = known.length === 0 ? null : known.reduce((sum, rate) => sum + rate, 0) / known.length;
    const isFrontier = passRate !== null && passRate >= band[0] && passRate <= band[1];
    return { template, tries: tries.get(template) ?? 0, passRate, isFrontier };
  };
  const skills = (): Skill[] => templates.map(skillOf).toSorted(byNeed);
  return {
    next() {
      const all = skills();
      const first = all.reduce((best, skill) => (share(skill) < share(best) ? skill : best));
      const seed = first.tries + 1;
      tries.set(first.template, seed);
      return { template: first.template, seed };
    },
    note(template, passRate) {
      if (passRate !== null) rates.set(template, [...(rates.get(template) ?? []), passRate]);
    },
    skills,
  };
}

/** Tries in proportion to how many the template should have. */
function share({ tries, isFrontier }: Skill): number {
  return isFrontier ? tries / frontierShare : tries;
}

/** The frontier first, then what the student never passes, then what it always passes, then what nobody measured. */
function byNeed(left: Skill, right: Skill): number {
  const rank = ({ isFrontier, passRate }: Skill): number => (isFrontier ? 0 : (passRate ?? 2) + 1);
  return rank(left) - rank(right) || (left.passRate ?? 0) - (right.passRate ?? 0);
}
