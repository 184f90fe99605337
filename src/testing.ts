export { admitTemplates, type AdmissionOptions } from './forge/admission/admission.ts';
export type { Admission } from './worlds/admission.ts';
export { checkLaws, type LawOptions, type LawResult } from './worlds/laws.ts';
