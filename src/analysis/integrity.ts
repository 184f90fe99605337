import { z } from 'zod';

/**
 * What was tried against the verifier of a template, by name: true where it held, false where it fell, null where it could not
 * be tried.
 */
const partsSchema = z.record(z.string(), z.boolean().nullable());

const templateIntegritySchema = z.strictObject({
  environment: z.string(),
  template: z.string(),
  parts: partsSchema,
  /** Why the first part fell; null where none did. */
  fell: z.string().nullable(),
});
export type TemplateIntegrity = z.infer<typeof templateIntegritySchema>;

/** What `check` found of the templates of a run. */
export const integritySchema = z.strictObject({
  version: z.literal(1),
  templates: z.array(templateIntegritySchema).readonly(),
});
export type Integrity = z.infer<typeof integritySchema>;

/** A part of an episode, beside those of its template: whether its path is certified. */
const certifiedPart = 'path certified';

/** Share of what was tried that held; null where nothing was. */
export function integrityScore(parts: TemplateIntegrity['parts']): number | null {
  const tried = Object.values(parts).filter(held => held !== null);
  return tried.length === 0 ? null : tried.filter(Boolean).length / tried.length;
}

/** The parts of an episode; null where its template was not checked. */
export type IntegrityOf = (episode: IntegrityPlace) => TemplateIntegrity['parts'] | null;

interface IntegrityPlace {
  readonly environment: string;
  readonly template: string;
  readonly isCertified: boolean;
}

export function createIntegrity({ templates }: Integrity): IntegrityOf {
  const nameOf = (environment: string, template: string): string => JSON.stringify([environment, template]);
  const known = new Map(templates.map(one => [nameOf(one.environment, one.template), one.parts]));
  return ({ environment, template, isCertified }) => {
    const parts = known.get(nameOf(environment, template));
    return parts === undefined ? null : { ...parts, [certifiedPart]: isCertified };
  };
}
