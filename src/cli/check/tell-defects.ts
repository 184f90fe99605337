import { countDefects, type Defect } from '../../forge/audit/defect.ts';
import type { Output } from '../terminal/output.ts';
import { tellReason } from './hold-laws.ts';

/** Says how many defects of each class there are, and which. */
export function tellDefects(output: Output, defects: readonly Defect[], json = false): void {
  const counts = countDefects(defects);
  if (json) {
    for (const defect of defects) output.json({ kind: 'defect', ...defect });
    output.json({ kind: 'defects', ...counts });
    return;
  }
  if (defects.length === 0) return;
  const { paint } = output;
  output.line();
  output.line(paint.dim('Defects by class'));
  for (const [name, count] of Object.entries(counts)) {
    output.line(`  ${name}  ${count}`);
    for (const { where, detail } of defects.filter(defect => defect.class === name)) {
      output.line(`    ${paint.red('✗')} ${where}`);
      tellReason(output, detail);
    }
  }
}
