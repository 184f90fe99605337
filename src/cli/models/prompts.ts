import type { ExitCode, Output } from '../terminal/output.ts';
import { writePromptFolder } from '../../runs/models/write-prompts.ts';

export async function writePrompts(
  { line, json: tell }: Output,
  { out, json = false }: { readonly out: string; readonly json?: boolean },
): Promise<ExitCode> {
  const files = writePromptFolder(out);
  if (json) tell(files);
  else {
    for (const path of files.written) line(`wrote ${path}`);
    for (const path of files.kept) line(`left alone ${path}`);
  }
  return 0;
}
