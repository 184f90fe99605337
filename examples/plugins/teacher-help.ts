import type { Signal } from 'espalier';

/** `espalier inspect runs/one <episode> --signal ./teacher-help.ts`: where the teacher stepped in, and how much of the way. */
export const signal: Signal = {
  name: 'teacher-help',
  about: 'Steps of the teacher on the way to the end, and their share.',
  *annotate({ tree, end }) {
    const path = tree.path(end.leaf);
    const helped = path.filter(({ actor }) => actor.role === 'teacher');
    for (const { id } of helped) yield { node: id, label: 'helped' };
    if (path.length > 0) yield { node: null, label: 'share', value: helped.length / path.length };
  },
};
