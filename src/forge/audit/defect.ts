/**
 * Where the mistake is: in what the environment says of itself (schema), in what it does (implementation), or in its tasks
 * and verifiers (reference).
 */
export type DefectClass = 'schema' | 'implementation' | 'reference';

export interface Defect {
  readonly class: DefectClass;
  /** The tool, template or law. */
  readonly where: string;
  readonly detail: string;
}

const aboutSchemas = /does not match its schema|has no JSON Schema|which is not one of its commands/;
const aboutCode = /^(?:Command|The view|onRefusal|init) /;

/** The class of a broken law: laws are about what an environment does, unless its states contradict its schema. */
export function defectOfLaw({ law, detail }: { law: string; detail: string }): Defect {
  return { class: aboutSchemas.test(detail) ? 'schema' : 'implementation', where: law, detail };
}

/** The class of a template that was not admitted: its tasks or its verifier, unless the app broke under it. */
export function defectOfTemplate({ template, detail }: { template: string; detail: string }): Defect {
  const kind = aboutSchemas.test(detail) ? 'schema' : aboutCode.test(detail) ? 'implementation' : 'reference';
  return { class: kind, where: template, detail };
}

export function countDefects(defects: readonly Defect[]): Readonly<Record<DefectClass, number>> {
  const count = (wanted: DefectClass): number => defects.filter(defect => defect.class === wanted).length;
  return { schema: count('schema'), implementation: count('implementation'), reference: count('reference') };
}
