import type { TableModule } from 'espalier';

/** `espalier export runs/one --table ./step-counts.ts`: one row for each leaf that was verified. */
export const table: TableModule = {
  name: 'step-counts',
  about: 'Steps to every verified leaf, and whether it passed.',
  columns: { episode: 'string', leaf: 'int', role: 'string', steps: 'int', passed: 'boolean?' },
  episodes: 'all',
  *rows({ record }) {
    const { head, leaves, tree } = record;
    for (const { node, role, verdict } of leaves) {
      const steps = tree.path(node).length;
      yield { episode: head.key, leaf: node, role, steps, passed: verdict?.pass ?? null };
    }
  },
};
