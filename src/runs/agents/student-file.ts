import { hash } from 'node:crypto';
import { causeText, EspalierError } from '../../core/errors.ts';
import { readStudent, type Weights } from '../../agents/learned/student.ts';
import { readText } from '../../modules/read-file.ts';

export interface StudentFile {
  readonly weights: Weights;
  readonly sha256: string;
}

export function readStudentFile(path: string): StudentFile {
  let text: string;
  try {
    text = readText(path);
  } catch (cause) {
    if (cause instanceof EspalierError) throw cause;
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `The student ${path} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected a file that espalier train wrote, or another name that espalier list students shows.',
      cause,
    });
  }
  try {
    return { weights: readStudent(text), sha256: hash('sha256', text) };
  } catch (cause) {
    if (!(cause instanceof EspalierError)) throw cause;
    const { boundary, code, message, expected } = cause;
    const said = message.replace(` ${expected}`, '');
    throw new EspalierError({ boundary, code, message: `${path} cannot be used: ${said}`, expected, cause });
  }
}
