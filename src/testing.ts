export { admitTemplates, type Admission, type AdmissionOptions } from './forge/admission.ts';
export { checkLaws, type LawOptions, type LawResult } from './kernel/laws.ts';
