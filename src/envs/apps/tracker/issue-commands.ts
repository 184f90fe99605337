import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { find, need, nextId, remove } from '../../../worlds/app/table.ts';
import {
  blankForm,
  bulkFields,
  command,
  issueTypes,
  priorities,
  relations,
  type Issue,
  type Tracker,
} from './state.ts';
import { needIssue, needProject, oneOf, setters } from './workflow.ts';

const key = z.string().max(20).describe('key of the issue, such as CORE-41');
const title = z
  .string()
  .trim()
  .min(3, 'give the issue a title of at least 3 characters')
  .max(120, 'the title has at most 120 characters');
const description = z.string().max(400, 'the description has at most 400 characters');
const choice = z.string().max(60);
/** Points may come as a number, too. */
const points = z.coerce.string().max(60);

export const createIssue = command('create_issue', {
  about: 'Create an issue; it starts in status Backlog, without a sprint.',
  input: z.object({
    project: z.string().max(20).describe('key of the project, such as CORE'),
    title,
    description: description.default(''),
    type: choice.default('Task').describe(issueTypes.join(', ')),
    priority: choice.default('Medium').describe(priorities.join(', ')),
    assignee: choice.default('Project default').describe('name of a member, Unassigned or Project default'),
    estimate: points.default('None').describe("points on the project's scale, or None"),
  }),
  run(draft, input) {
    const project = needProject(draft, input.project);
    const issue: Issue = {
      id: nextId(draft.issues, `${project.id}-`),
      project: project.id,
      title: input.title,
      description: input.description,
      type: oneOf(issueTypes, input.type, 'type'),
      status: 'Backlog',
      priority: oneOf(priorities, input.priority, 'priority'),
      assignee: project.defaultAssignee,
      reporter: draft.me,
      labels: [],
      points: null,
      due: null,
      sprint: null,
      parent: null,
      blockedBy: [],
      created: draft.today,
    };
    if (input.assignee !== 'Project default') setters.Assignee(draft, issue, input.assignee);
    setters.Estimate(draft, issue, input.estimate);
    draft.issues.push(issue);
    show(draft, issue.id);
    draft.ui.notice = `${issue.id} is created.`;
    return { id: issue.id };
  },
});

export const editIssue = command('edit_issue', {
  about: 'Rewrite the title, description and due date of an issue.',
  input: z.object({
    id: key,
    title,
    description,
    due: z.union([z.literal(''), z.iso.date('write the due date like 2026-03-31, or leave it empty')]),
  }),
  run(draft, input) {
    const issue = needIssue(draft, input.id);
    Object.assign(issue, {
      title: input.title,
      description: input.description,
      due: input.due === '' ? null : input.due,
    });
    done(draft, `${issue.id} is saved.`);
  },
});

function fieldCommand(name: string, field: keyof typeof setters, words: { about: string; value: string }) {
  return command(name, {
    about: words.about,
    input: z.object({ id: key, value: (field === 'Estimate' ? points : choice).describe(words.value) }),
    run(draft, { id, value }) {
      setters[field](draft, needIssue(draft, id), value);
      // Only the menu of the status is done with: what is being written elsewhere stays.
      if (field === 'Status') done(draft, '');
      draft.ui.notice = `${id}: ${field.toLowerCase()} is now ${value}.`;
    },
  });
}

export const setStatus = fieldCommand('set_status', 'Status', {
  about: 'Move an issue along the workflow: Backlog, Todo, In progress, In review, Done; or Cancelled.',
  value: 'a status that the workflow allows next',
});
export const setPriority = fieldCommand('set_priority', 'Priority', {
  about: 'Set the priority of an issue.',
  value: priorities.join(', '),
});
export const setType = fieldCommand('set_type', 'Type', {
  about: 'Set the type of an issue.',
  value: issueTypes.join(', '),
});
export const assignIssue = fieldCommand('assign_issue', 'Assignee', {
  about: 'Assign an issue to a member of its project, or to nobody.',
  value: 'full name of a member of the project, or Unassigned',
});
export const estimateIssue = fieldCommand('estimate_issue', 'Estimate', {
  about: 'Set the estimate of an issue.',
  value: "points on the project's scale, such as 3, or None",
});
export const planIssue = fieldCommand('plan_issue', 'Sprint', {
  about: 'Put an open issue into a sprint, or back into the backlog.',
  value: 'name of a planned or active sprint of the project, or Backlog',
});

export const labelIssue = command('label_issue', {
  about: 'Put a label of the project on an issue, or take it off.',
  input: z.object({ id: key, label: z.string().max(20).describe('id of the label'), on: z.boolean() }),
  run(draft, { id, label, on }) {
    const issue = needIssue(draft, id);
    const { name, project } = need(draft.labels, label, 'label');
    if (project !== issue.project) refuse(`${name} is a label of ${project}, not of ${issue.project}.`);
    const others = issue.labels.filter(known => known !== label);
    issue.labels = on ? [...others, label] : others;
    draft.ui.notice = on ? `${id} is labelled ${name}.` : `${name} is off ${id}.`;
  },
});

const link = z.object({
  id: key,
  relation: z.enum(relations),
  target: z
    .string()
    .trim()
    .toUpperCase()
    .min(1, 'name the other issue by its key')
    .max(20)
    .describe('key of the other issue'),
});

export const linkIssue = command('link_issue', {
  about: 'Link an issue to another: it is blocked by it, blocks it, or is a sub-issue of it.',
  input: link,
  run(draft, { id, relation, target }) {
    const [issue, other] = [needIssue(draft, id), needIssue(draft, target)];
    if (id === target) refuse('An issue cannot be linked to itself.');
    if (relation === 'Sub-issue of') adopt(draft, issue, other);
    else if (relation === 'Blocks') block(draft, other, issue);
    else block(draft, issue, other);
    done(draft, `${id} is linked to ${target}.`);
  },
});

export const unlinkIssue = command('unlink_issue', {
  about: 'Remove a link between two issues.',
  input: link,
  run(draft, { id, relation, target }) {
    const issue = needIssue(draft, id);
    const blocked = relation === 'Blocks' ? needIssue(draft, target) : issue;
    const blocker = relation === 'Blocks' ? id : target;
    const linked = relation === 'Sub-issue of' ? issue.parent === target : blocked.blockedBy.includes(blocker);
    if (!linked) refuse(`${id} has no such link to ${target}.`);
    if (relation === 'Sub-issue of') issue.parent = null;
    else blocked.blockedBy = blocked.blockedBy.filter(known => known !== blocker);
    done(draft, `${id} is no longer linked to ${target}.`);
  },
});

export const addComment = command('add_comment', {
  about: 'Write a comment on an issue.',
  input: z.object({ id: key, text: z.string().trim().min(1, 'write a comment first').max(400) }),
  run(draft, { id, text }) {
    needIssue(draft, id);
    const comment = { id: nextId(draft.comments, 'c'), issue: id, author: draft.me, text, date: draft.today };
    draft.comments.push(comment);
    draft.ui.form = { ...blankForm };
    done(draft, `Your comment on ${id} is posted.`);
    return { id: comment.id };
  },
});

export const deleteComment = command('delete_comment', {
  about: 'Delete one of your own comments.',
  input: z.object({ comment: z.string().max(20).describe('id of the comment') }),
  run(draft, input) {
    const comment = need(draft.comments, input.comment, 'comment');
    if (comment.author !== draft.me) refuse('Only its author can delete a comment.');
    remove(draft.comments, comment.id);
    done(draft, 'The comment is deleted.');
  },
});

export const deleteIssue = command('delete_issue', {
  about: 'Delete an issue with its comments; issues linked to it lose the link.',
  input: z.object({ id: key }),
  run(draft, { id }) {
    needIssue(draft, id);
    remove(draft.issues, id);
    for (const issue of draft.issues) {
      if (issue.parent === id) issue.parent = null;
      if (issue.blockedBy.includes(id)) issue.blockedBy = issue.blockedBy.filter(known => known !== id);
    }
    const comments = draft.comments.filter(comment => comment.issue === id).map(comment => comment.id);
    for (const comment of comments) remove(draft.comments, comment);
    draft.ui.selected = draft.ui.selected.filter(known => known !== id);
    Object.assign(draft.ui, { screen: 'issues', issue: '' });
    done(draft, `${id} is deleted.`);
  },
});

export const updateIssues = command('update_issues', {
  about: 'Set one field of several issues at once; nothing changes when one of them refuses.',
  input: z.object({
    ids: z.array(z.string().max(20)).min(1, 'select at least one issue').max(200).describe('keys of the issues'),
    field: z.enum(bulkFields),
    value: choice.describe('what the field is set to, as in the commands for one issue'),
  }),
  run(draft, { ids, field, value }) {
    const unique = [...new Set(ids)];
    for (const id of unique) setters[field](draft, needIssue(draft, id), value);
    draft.ui.selected = [];
    done(draft, `${field} of ${unique.length === 1 ? '1 issue' : `${unique.length} issues`} is now ${value}.`);
  },
});

export const issueCommands = [
  createIssue,
  editIssue,
  setStatus,
  setPriority,
  setType,
  assignIssue,
  estimateIssue,
  planIssue,
  labelIssue,
  linkIssue,
  unlinkIssue,
  addComment,
  deleteComment,
  deleteIssue,
  updateIssues,
];

/** Opens an issue with nothing typed yet. */
export function show(draft: Tracker, id: string): void {
  Object.assign(draft.ui, { screen: 'issue', issue: id, panel: 'none', target: '', page: 1, notice: '' });
  draft.ui.form = { ...blankForm };
}

export function done(draft: Tracker, notice: string): void {
  Object.assign(draft.ui, { panel: 'none', target: '', notice });
}

function block(draft: Tracker, issue: Issue, by: Issue): void {
  if (issue.blockedBy.includes(by.id)) refuse(`${issue.id} is already blocked by ${by.id}.`);
  if (waitsFor(draft, by, issue.id)) refuse(`${by.id} waits for ${issue.id} itself.`);
  issue.blockedBy.push(by.id);
}

/** Whether an issue is blocked by another, directly or through others. */
function waitsFor(draft: Tracker, issue: Issue, id: string): boolean {
  const open = [...issue.blockedBy];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(find(draft.issues, next)?.blockedBy ?? []));
  }
  return false;
}

function adopt(draft: Tracker, issue: Issue, parent: Issue): void {
  if (parent.project !== issue.project) refuse('A sub-issue belongs to the project of its parent.');
  if (issue.parent === parent.id) refuse(`${issue.id} is already a sub-issue of ${parent.id}.`);
  for (let above: Issue | undefined = parent; above !== undefined; above = find(draft.issues, above.parent ?? '')) {
    if (above.id === issue.id) refuse(`${parent.id} is a sub-issue of ${issue.id} itself.`);
  }
  issue.parent = parent.id;
}
