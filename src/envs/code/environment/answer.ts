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
export function readProgram(answer: string, files: Files, own: Language | null = null): Program {
  const trimmed = answer.trim();
  const file = Object.hasOwn(files, trimmed) ? files[trimmed] : undefined;
  if (file !== undefined) return { language: languageOfFile(trimmed, own) ?? findLanguage('javascript'), source: file };
  const block = fencedBlock(trimmed);
  return { language: languageOfTag(block?.tag ?? '', own), source: block?.text ?? trimmed };
}

/** By the end of its name; null for a file that is no program. A language of the user's own comes first. */
export function languageOfFile(path: string, own: Language | null): Language | null {
  if (own !== null && path.endsWith(endingOf(own))) return own;
  const name = names[path.slice(path.lastIndexOf('.') + 1)];
  return name === undefined || !path.includes('.') ? null : findLanguage(name);
}

/** `.lua`. */
export function endingOf({ file }: Language): string {
  return file.slice(file.lastIndexOf('.'));
}

function languageOfTag(tag: string, own: Language | null): Language {
  if (own !== null && (tag === own.name || `.${tag}` === endingOf(own))) return own;
  return findLanguage(names[tag] ?? 'javascript');
}
