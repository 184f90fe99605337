import { describe, expect, test } from 'vitest';
import type { Action } from '../../../core/action.ts';
import type { StateSession } from '../../../core/contracts.ts';
import type { JsonObject } from '../../../core/json.ts';
import { find } from '../../../worlds/app/table.ts';
import { createWorld } from '../../../worlds/world.ts';
import type { Issue, Sprint, Tracker } from './state.ts';
import { tracker } from './tracker.ts';
import { isOpen, pointsOf } from './workflow.ts';

const world = createWorld(tracker);

function open(template = 'change-settings', seed = 1) {
  const session = world.open(world.task(template, seed));
  return { session, state: () => session.state() as Tracker };
}

/** Acts on the element with this name, as a person would find it. */
function act(session: StateSession, name: string, entered?: string): string {
  const wanted = session.candidates().find(candidate => candidate.name === name);
  if (wanted === undefined) throw new Error(`There is no "${name}" on\n${session.observe().text}`);
  const { action } = wanted;
  const taken: Action = action.kind === 'fill' ? { ...action, text: entered ?? '' } : withOption(action, entered);
  return session.step(taken).problem?.message ?? '';
}

function withOption(action: Action, entered: string | undefined): Action {
  return action.kind === 'select' ? { ...action, option: entered ?? '' } : action;
}

function call(session: StateSession, tool: string, input: JsonObject) {
  return session.step({ kind: 'call', tool, input });
}

function openIssue(session: StateSession, { title }: Issue): void {
  act(session, 'Issues');
  act(session, 'Search by title or key', title);
  act(session, title);
}

const some = <T>(items: readonly T[], fits: (item: T) => boolean): T => {
  const found = items.find(fits);
  if (found === undefined) throw new Error('the seeded data has no such record');
  return found;
};

describe('screen and tools share their commands', () => {
  test('an issue made in the form equals one made by the tool', () => {
    const [byHand, byTool] = [open(), open()];
    act(byHand.session, 'New issue');
    act(byHand.session, 'Title', 'Sort the changelog by date');
    act(byHand.session, 'Priority', 'High');
    act(byHand.session, 'Create issue');
    const { project } = byTool.state().ui;
    call(byTool.session, 'create_issue', { project, title: 'Sort the changelog by date', priority: 'High' });
    expect(byHand.session.digest()).toBe(byTool.session.digest());
    expect(byHand.state().issues).toHaveLength(88);
  });

  test('a comment posted on screen equals one posted by the tool', () => {
    const [byHand, byTool] = [open(), open()];
    const issue = some(byHand.state().issues, isOpen);
    openIssue(byHand.session, issue);
    act(byHand.session, 'Write comment');
    act(byHand.session, 'Comment', 'Ready for QA.');
    act(byHand.session, 'Post comment');
    call(byTool.session, 'add_comment', { id: issue.id, text: 'Ready for QA.' });
    expect(byHand.state().comments).toEqual(byTool.state().comments);
    expect(byHand.state().comments.at(-1)).toMatchObject({ issue: issue.id, author: 'm1', text: 'Ready for QA.' });
  });
});

describe('workflow', () => {
  test('the menu offers only what the workflow allows, and the tool refuses the rest', () => {
    const { session, state } = open();
    const issue = some(state().issues, ({ status }) => status === 'Todo');
    openIssue(session, issue);
    act(session, 'Change status');
    const items = session.candidates().filter(({ role }) => role === 'menuitem');
    expect(items.map(({ name }) => name)).toEqual(['Backlog', 'In progress', 'Cancelled', 'Keep status']);
    const outcome = call(session, 'set_status', { id: issue.id, value: 'Done' });
    expect(outcome.problem?.message).toContain('cannot go from Todo to Done');
  });

  test('work starts only with an assignee, and keeps one', () => {
    const { session, state } = open();
    const issue = some(state().issues, ({ status, assignee }) => status === 'Todo' && assignee === null);
    openIssue(session, issue);
    act(session, 'Change status');
    expect(act(session, 'In progress')).toContain('needs an assignee');
    expect(session.observe().text).toContain('alert "');
    const started = some(state().issues, ({ status }) => status === 'In progress');
    const outcome = call(session, 'assign_issue', { id: started.id, value: 'Unassigned' });
    expect(outcome.problem?.message).toContain('needs an assignee');
  });

  test('an issue with an open blocker or sub-issue is not done', () => {
    const { session, state } = open();
    const { issues } = state();
    const review = some(issues, ({ status }) => status === 'In review');
    const others = issues.filter(({ id, project, blockedBy }) => {
      return id !== review.id && project === review.project && blockedBy.length === 0 && id !== review.parent;
    });
    const [blocker, child] = others.filter(isOpen);
    for (const id of review.blockedBy)
      call(session, 'unlink_issue', { id: review.id, relation: 'Blocked by', target: id });
    call(session, 'link_issue', { id: review.id, relation: 'Blocked by', target: blocker?.id ?? '' });
    const done = () => call(session, 'set_status', { id: review.id, value: 'Done' }).problem?.message ?? 'done';
    expect(done()).toContain(`still blocked by ${blocker?.id ?? ''}`);
    call(session, 'unlink_issue', { id: review.id, relation: 'Blocked by', target: blocker?.id ?? '' });
    call(session, 'link_issue', { id: child?.id ?? '', relation: 'Sub-issue of', target: review.id });
    expect(done()).toContain('still open');
  });
});

describe('links', () => {
  test('a circle of blockers is refused', () => {
    const { session, state } = open();
    const [one, two, three] = state().issues.filter(issue => isOpen(issue) && issue.blockedBy.length === 0);
    const block = (id = '', target = '') => call(session, 'link_issue', { id, relation: 'Blocked by', target });
    expect(block(one?.id, two?.id).applied).toBe(true);
    expect(block(two?.id, three?.id).applied).toBe(true);
    expect(block(three?.id, one?.id).problem?.message).toContain('waits for');
  });

  test('deleting an issue takes its comments and the links to it along', () => {
    const { session, state } = open();
    const blocked = some(state().issues, ({ blockedBy }) => blockedBy.length === 1);
    const target = find(state().issues, blocked.blockedBy[0] ?? '') as Issue;
    call(session, 'add_comment', { id: target.id, text: 'Obsolete.' });
    openIssue(session, target);
    act(session, 'Delete issue');
    act(session, 'Delete for good');
    expect(find(state().issues, target.id)).toBeUndefined();
    expect(find(state().issues, blocked.id)?.blockedBy).toEqual([]);
    expect(state().comments.some(({ issue }) => issue === target.id)).toBe(false);
  });
});

describe('sprints', () => {
  test('a project has one active sprint', () => {
    const { session, state } = open();
    const running = some(state().sprints, ({ status }) => status === 'Active');
    const next = some(state().sprints, ({ project, status }) => project === running.project && status === 'Planned');
    act(session, 'Sprints');
    act(session, next.name);
    act(session, 'Start sprint');
    expect(act(session, 'Start now')).toContain(`${running.name} is active`);
  });

  test('completing needs a destination and moves only open issues', () => {
    const { session, state } = open('complete-sprint');
    const { sprint: id, next } = session.task.parameters as { sprint: string; next: string };
    const sprint = find(state().sprints, id) as Sprint;
    const before = pointsOf(state().issues, id);
    act(session, 'Sprints');
    act(session, sprint.name);
    act(session, 'Complete sprint');
    expect(act(session, 'Complete now')).toContain('choose where open issues go');
    act(session, 'Move open issues to', find(state().sprints, next)?.name);
    act(session, 'Complete now');
    expect(pointsOf(state().issues, id)).toMatchObject({ issues: before.issues - before.open, open: 0 });
    expect(find(state().sprints, id)?.status).toBe('Completed');
  });

  test('the form to edit a sprint starts from what it holds', () => {
    const { session, state } = open('raise-capacity-and-start');
    const { id } = session.task.parameters as { id: string };
    const before = find(state().sprints, id) as Sprint;
    act(session, 'Sprints');
    act(session, before.name);
    act(session, 'Edit sprint');
    act(session, 'Capacity', '77');
    act(session, 'Save sprint');
    expect(find(state().sprints, id)).toEqual({ ...before, capacity: 77 });
  });

  test('a sprint over its capacity does not start', () => {
    const { session } = open('raise-capacity-and-start');
    const { id } = session.task.parameters as { id: string };
    expect(call(session, 'start_sprint', { id }).problem?.message).toContain('more than its capacity');
  });
});

describe('labels, filters and bulk edits', () => {
  test('a deleted label leaves issues and saved filters', () => {
    const { session, state } = open();
    const label = some(state().labels, ({ name }) => name === 'security');
    act(session, 'Project settings');
    act(session, 'Project', 'CORE');
    act(session, 'Delete security');
    expect(find(state().labels, label.id)).toBeDefined();
    act(session, 'Delete label');
    expect(state().issues.some(({ labels }) => labels.includes(label.id))).toBe(false);
    expect(state().filters.some(filter => filter.label === label.id)).toBe(false);
  });

  test('a label name in use is refused', () => {
    const { session } = open();
    const outcome = call(session, 'add_label', { project: 'WEB', name: 'Security' });
    expect(outcome.problem?.message).toBe('There is a label "security" in CORE already.');
  });

  test('a bulk edit changes all selected issues or none', () => {
    const { session, state } = open();
    const before = state().issues;
    act(session, 'Filters');
    act(session, 'Status', 'Todo');
    act(session, 'Bulk edit');
    act(session, 'Select all');
    act(session, 'Field', 'Status');
    act(session, 'New value', 'In progress');
    expect(act(session, 'Apply to selected')).toContain('needs an assignee');
    expect(state().issues).toEqual(before);
    act(session, 'Field', 'Priority');
    act(session, 'New value', 'Urgent');
    act(session, 'Apply to selected');
    const todo = state().issues.filter(({ status }) => status === 'Todo');
    expect(new Set(todo.map(({ priority }) => priority))).toEqual(new Set(['Urgent']));
  });

  test('a saved filter shows the same issues as the search tool', () => {
    const { session, state } = open();
    act(session, 'Saved filters');
    act(session, 'Show Urgent and open');
    const result = call(session, 'search_issues', { priority: 'Urgent', status: 'Open' }).result as { total: number };
    const expected = state().issues.filter(issue => isOpen(issue) && issue.priority === 'Urgent').length;
    expect(result.total).toBe(expected);
    expect(session.observe().text).toContain(`list "${expected} issues"`);
  });
});

describe('validation', () => {
  test('estimates follow the scale of the project', () => {
    const { session, state } = open();
    const issue = some(state().issues, isOpen);
    call(session, 'set_estimate_scale', { project: issue.project, value: 'Linear' });
    expect(call(session, 'estimate_issue', { id: issue.id, value: '13' }).problem?.message).toContain('Linear scale');
    expect(call(session, 'estimate_issue', { id: issue.id, value: '6' }).applied).toBe(true);
  });

  test('forms say what is wrong', () => {
    const { session, state } = open();
    act(session, 'New issue');
    expect(act(session, 'Create issue')).toContain('title of at least 3 characters');
    openIssue(session, some(state().issues, isOpen));
    act(session, 'Edit text');
    act(session, 'Due date', 'next Friday');
    expect(act(session, 'Save')).toContain('write the due date like 2026-03-31');
  });

  test('an issue goes only to members of its project', () => {
    const seed = [1, 2, 3, 4, 5, 6, 7, 8].find(each => world.task('assign-outsider', each).kind === 'infeasible');
    const { session } = open('assign-outsider', seed);
    const { id, name } = session.task.parameters as { id: string; name: string };
    expect(call(session, 'assign_issue', { id, value: name }).problem?.message).toContain(`${name} is not a member of`);
  });
});
