import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { exportTask } from '../../envs/harbor/export/export-task.ts';
import { selectTemplates } from '../../envs/terminal/domains/catalog.ts';
import { findSandboxes } from '../../envs/terminal/sandbox/find-sandboxes.ts';
import type { Output } from '../terminal/output.ts';

interface HarborRequest {
  readonly name: string;
  readonly dir: string;
  /** Tasks of each template. */
  readonly instances: number;
}

/** Writes tasks of terminal worlds as task folders of Harbor: one for each template and seed. */
export async function writeHarborFolders(output: Output, { name, dir, instances }: HarborRequest): Promise<void> {
  const templates = selectTemplates(name.replace(/^terminal:/, ''));
  const sandboxes = await findSandboxes();
  let written = 0;
  try {
    for (const template of templates)
      for (let seed = 1; seed <= instances; seed++) {
        const folder = join(dir, `${template.id.replaceAll('/', '-')}-${seed}`);
        if (existsSync(folder)) throw invalidOption(`${folder} exists already.`, 'Choose another --dir.');
        output.progress(`writing ${folder} …`);
        await exportTask({ sandboxes, template, seed, folder });
        written++;
      }
  } finally {
    await sandboxes.close();
  }
  const { paint } = output;
  output.line(`${paint.green('✓')} wrote ${count(written, 'task folder')} to ${paint.bold(dir)}`);
  output.line();
  output.line(
    `  espalier check harbor:${dir}  ${paint.dim('do they build, fail untouched, and pass with their solution?')}`,
  );
}
