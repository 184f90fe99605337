import { families } from '../../catalog.ts';

/** A family, and a name as it reads names today. */
export interface NamedFamily {
  readonly family: (typeof families)[number];
  readonly name: string;
  /** Whether the name was given in the spelling of before. */
  readonly isOld: boolean;
}

/** The family that a name belongs to; null for a module of the user's, and for a name that nobody knows. */
export function familyOf(name: string): NamedFamily | null {
  for (const family of families) {
    const { name: own, formerly } = family;
    if (own.endsWith(':') ? name.startsWith(own) : name === own) return { family, name, isOld: false };
    if (formerly !== undefined && name.startsWith(formerly))
      return { family, name: `${own}${name.slice(formerly.length)}`, isOld: true };
  }
  return null;
}

/** Whether a name is that of other people's pages or tools, whose state nobody sees. */
export function isElsewhere(name: string): boolean {
  return familyOf(name)?.family.served !== undefined;
}

/** `wai:<folder>, miniwob:<folder>, …, forge:<app>`. */
export function familyUsages(): string {
  const usagesOf = (isServed: boolean): string[] =>
    families.flatMap(({ usage = null, served }) =>
      usage !== null && (served !== undefined) === isServed ? [usage] : [],
    );
  return [...usagesOf(true), ...usagesOf(false)].join(', ');
}
