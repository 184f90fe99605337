import type { EpisodeRecord } from '../../core/episode/record.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import { verifiedPaths } from './verified-paths.ts';

type Path = ReturnType<typeof verifiedPaths>[number];

/**
 * Rows for distillation of a model into itself: the student is asked plainly, the teacher with a skill of the same trajectory, which
 * says what worked, what was refused and what was missing. The skill is for training alone; no student ever reads it.
 */
export const skillDistillation: Exporter = {
  name: 'skill-distillation',
  about: 'Skill-SD: each step as the student is asked, and as a teacher who knows a skill of the trajectory.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      /** The same request with the skill in it, without an answer. */
      teacher_messages: 'messages',
      skill: 'string',
      leaf: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, masked }) {
    for (const way of verifiedPaths(record)) {
      const skill = skillOf(record, way);
      for (const node of way.path) {
        const request = requests.of(record, node.id);
        if (request === null || masked.has(node.id) || node.actor.role !== 'student') continue;
        yield {
          ...taughtStep(request, node),
          teacher_messages: [...request.messages, { role: 'user', content: skill }],
          skill,
          leaf: way.leaf,
          ...provenanceOf(record, node, way.verdict),
        };
      }
    }
  },
};

/** What worked, what was refused, and what was missing at the end. */
function skillOf(record: EpisodeRecord, { path, verdict }: Path): string {
  const lines = (isMeant: (node: Path['path'][number]) => boolean): string[] =>
    path.filter(isMeant).map(({ id }) => record.text(id));
  const refused = lines(({ outcome }) => !outcome.applied);
  const unmet = verdict.checks.filter(({ pass }) => !pass).map(({ name }) => name);
  const steps = lines(({ outcome }) => outcome.applied).map((line, at) => `${at + 1}. ${line}`);
  return [
    verdict.pass ? 'This way passed:' : 'This way failed:',
    ...steps,
    ...(refused.length === 0 ? [] : [`Refused: ${refused.join('; ')}.`]),
    ...(unmet.length === 0 ? [] : [`Missing at the end: ${unmet.join('; ')}.`]),
  ].join('\n');
}
