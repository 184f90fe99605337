import { fencedBlock } from '../../../worlds/verdict/fenced-block.ts';
import { findLanguage, languages, type Language } from '../sandbox/languages.ts';

export interface Program {
  readonly language: Language;
  readonly source: string;
}

export type Files = Readonly<Record<string, string>>;

/** Languages that a task may be solved in. */
export const taskLanguages: readonly Language[] = languages.filter(({ name }) => name !== 'sql');

const names: Readonly<Record<string, string>> = {
  js: 'javascript',
  javascript: 'javascript',
  mjs: 'javascript',
  py: 'python',
  python: 'python',
  python3: 'python',
  c: 'c',
  sh: 'bash',
  bash: 'bash',
};

/** The program in an answer: a file by its name, a fenced block of code, or else JavaScript as it stands. */
export function readProgram(answer: string, files: Files): Program {
  const trimmed = answer.trim();
  const file = Object.hasOwn(files, trimmed) ? files[trimmed] : undefined;
  if (file !== undefined) return { language: languageOfFile(trimmed) ?? findLanguage('javascript'), source: file };
  const block = fencedBlock(trimmed);
  return { language: languageOfTag(block?.tag ?? ''), source: block?.text ?? trimmed };
}

/** By the end of its name; null for a file that is no program. */
export function languageOfFile(path: string): Language | null {
  const name = names[path.slice(path.lastIndexOf('.') + 1)];
  return name === undefined || !path.includes('.') ? null : findLanguage(name);
}

function languageOfTag(tag: string): Language {
  return findLanguage(names[tag] ?? 'javascript');
}
