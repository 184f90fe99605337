export { admitTemplates, type Admission, type AdmissionOptions } from './forge/admission/admission.ts';
export { checkLaws, type LawOptions, type LawResult } from './worlds/laws.ts';
