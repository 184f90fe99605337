import { isEvaluationContent } from '../../worlds/app/task-split.ts';
import type { TerminalTemplate } from '../terminal/domains/template.ts';
import type { TerminalTask } from '../terminal/world/definition.ts';
import type { Commit } from './history.ts';
import type { FoundTask } from './mine.ts';
import { deniedOf, instructionFor, projectFolder, startBefore, type Project } from './project.ts';
import { canariesOf, checkOf, groupsOf } from './test-runs.ts';

const shortId = 10;

/** The one task of a commit, as a template of a terminal world. */
export function commitTemplate(project: Project, commit: Commit, found: FoundTask): TerminalTemplate {
  let drawn: TerminalTask | null = null;
  return {
    id: `commit/${commit.id.slice(0, shortId)}`,
    split: isEvaluationContent(commit.id) ? 'test' : 'train',
    about: commit.subject,
    needs: ['git'],
    tasks: 1,
    draw: () => (drawn ??= taskOf(project, commit, found)),
  };
}

function taskOf(project: Project, commit: Commit, found: FoundTask): TerminalTask {
  const changed = project.history.changes(commit).map(({ path }) => path);
  const groups = groupsOf(project, commit, changed).filter(({ id }) => found.groups[id] !== undefined);
  const linesOf = (id: string) => found.groups[id] ?? { gained: [], kept: [] };
  const gained = groups.flatMap(({ id }) => linesOf(id).gained);
  const kept = groups.flatMap(({ id }) => linesOf(id).kept);
  return {
    ...startBefore(project, commit),
    instruction: instructionFor(commit, gained.map(nameOf)),
    checks: groups.map(group => {
      const lines = linesOf(group.id);
      const name = `${lines.gained.length} tests that failed pass, and ${lines.kept.length} still do: ${group.tests.join(', ')}`;
      return checkOf(project, group, { name, wanted: [...lines.gained, ...lines.kept, ...canariesOf(project, group)] });
    }),
    allow: [projectFolder, `${projectFolder}/**`, '/tmp/**'],
    deny: deniedOf(project, commit, found.changed),
    oracle: found.oracle,
    mutants: found.mutants,
    facts: {
      content: commit.id,
      failToPass: gained.length,
      passToPass: kept.length,
      partsLeftOut: found.partsLeftOut,
      mutantsFailed: `${found.mutantsFailed} of ${found.mutantsTried}`,
    },
  };
}

/** `tests/test_cart.py: Totals.test_empty` */
function nameOf(line: string): string {
  const [, file = '', name = ''] = line.split('\t');
  return `${file}: ${name}`;
}
