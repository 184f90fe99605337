import { environments } from '../../catalog.ts';
import type { Split } from '../../core/records.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export async function listEnvironments(output: Output, { json = false }: { json?: boolean }): Promise<ExitCode> {
  const { paint } = output;
  const found = await Promise.all(environments.map(async ({ about, load }) => ({ about, environment: await load() })));
  const rows = found.map(({ about, environment: { id, title, templates, tools } }) => {
    const countOf = (wanted: Split): number => templates.filter(({ split }) => split === wanted).length;
    const heldOut = { test: countOf('test'), 'test-2': countOf('test-2'), 'test-3': countOf('test-3') };
    const counts = { train: countOf('train'), ...heldOut };
    return { id, title, about, templates: counts, tools: tools.length };
  });
  if (json) {
    for (const row of rows) output.json(row);
    return 0;
  }
  const heads = ['id', 'title', 'train', 'test', 'tools', 'about'].map(head => paint.dim(head));
  const cells = rows.map(({ id, title, templates: { train, test }, tools, about }) => [
    paint.bold(id),
    title,
    String(train),
    String(test),
    String(tools),
    paint.dim(about),
  ]);
  for (const line of columns([heads, ...cells], [2, 3, 4])) output.line(line);
  output.line();
  output.line(paint.dim('train and test count the task templates. Next: espalier tasks <id>'));
  return 0;
}
