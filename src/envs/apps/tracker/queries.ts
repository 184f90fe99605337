import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { find, need, paginate, type Page } from '../../../worlds/app/table.ts';
import {
  priorities,
  query,
  scales,
  sortOrders,
  statuses,
  type Criterion,
  type Filter,
  type Issue,
  type Tracker,
} from './state.ts';
import { isOpen, nameOf, needIssue, pointsOf, sprintName } from './workflow.ts';

export const rowsPerPage = 10;
const statusChoices = ['Any', 'Open', ...statuses];
const priorityChoices = ['Any', ...priorities];

/** What a filter may be set to, as the screen shows it. */
export function criterionOptions(state: Tracker, field: Criterion): readonly string[] {
  switch (field) {
    case 'project':
      return ['Any', ...state.projects.map(project => project.id)];
    case 'status':
      return statusChoices;
    case 'assignee':
      return ['Any', 'Unassigned', ...state.members.map(member => member.name)];
    case 'label':
      return ['Any', ...state.labels.map(label => label.name)];
    case 'priority':
      return priorityChoices;
    case 'sprint':
      return ['Any', 'No sprint', ...state.sprints.map(sprint => sprint.name)];
  }
}

/** The stored criterion for what the screen shows. */
export function criterionOf(state: Tracker, field: Criterion, shown: string): string {
  if (shown === 'Any') return '';
  if (shown === (field === 'sprint' ? 'No sprint' : field === 'assignee' ? 'Unassigned' : '')) return 'none';
  if (field === 'assignee') return named(state.members, shown, 'member');
  if (field === 'label') return named(state.labels, shown, 'label');
  if (field === 'sprint') return named(state.sprints, shown, 'sprint');
  const choices = criterionOptions(state, field);
  return choices.includes(shown) ? shown : refuse(`"${shown}" is not a ${field}: expected ${choices.join(', ')}.`);
}

/** What the screen shows for a stored criterion. */
export function criterionText(state: Tracker, field: Criterion, value: string): string {
  if (value === '') return 'Any';
  if (value === 'none') return field === 'sprint' ? 'No sprint' : 'Unassigned';
  if (field === 'assignee') return find(state.members, value)?.name ?? 'Any';
  if (field === 'label') return find(state.labels, value)?.name ?? 'Any';
  if (field === 'sprint') return find(state.sprints, value)?.name ?? 'Any';
  return value;
}

function named(table: readonly { id: string; name: string }[], name: string, what: string): string {
  return table.find(record => record.name === name)?.id ?? refuse(`There is no ${what} called "${name}".`);
}

const later = '9999';
/** The other orders; sorting into a few heaps is faster than comparing. */
function sorted(found: Issue[], sort: Tracker['ui']['sort']): Issue[] {
  switch (sort) {
    case 'Newest first':
      return found;
    case 'Oldest first':
      return found.toReversed();
    case 'Priority':
      return priorities.flatMap(priority => found.filter(issue => issue.priority === priority));
    case 'Most points':
      return found.toSorted((left, right) => (right.points ?? 0) - (left.points ?? 0));
    case 'Due date':
      return found.toSorted((left, right) => compareDays(left.due ?? later, right.due ?? later));
  }
}

function compareDays(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Issues stand in the order of their creation, so only the other orders need sorting. */
export function issuesMatching(state: Tracker, filter: Filter, sort: Tracker['ui']['sort']): Issue[] {
  const words = filter.query.trim().toLowerCase();
  const found: Issue[] = [];
  for (let index = state.issues.length - 1; index >= 0; index--) {
    const issue = state.issues[index] as Issue;
    if (meets(issue, filter) && (words === '' || mentions(issue, words))) found.push(issue);
  }
  return sorted(found, sort);
}

export interface Listing {
  readonly found: readonly Issue[];
  /** The page of them that is on the screen. */
  readonly shown: Page<Issue>;
}

/** What the issue list shows. */
export function listing(state: Tracker): Listing {
  const found = issuesMatching(state, state.ui.filter, state.ui.sort);
  return { found, shown: paginate(found, state.ui.page, rowsPerPage) };
}

function meets(issue: Issue, { project, status, assignee, label, priority, sprint }: Filter): boolean {
  return (
    (project === '' || issue.project === project) &&
    (status === '' || issue.status === status || (status === 'Open' && isOpen(issue))) &&
    (assignee === '' || (issue.assignee ?? 'none') === assignee) &&
    (priority === '' || issue.priority === priority) &&
    (sprint === '' || (issue.sprint ?? 'none') === sprint) &&
    (label === '' || issue.labels.includes(label))
  );
}

function mentions({ id, title }: Issue, words: string): boolean {
  return title.toLowerCase().includes(words) || id.toLowerCase().includes(words);
}

const criterion = z.string().max(60).default('Any');
const nothing = z.object({});

const searchIssues = query('search_issues', {
  about: 'List issues by text and filters, 20 at a time; also tells how many there are in all.',
  input: z.object({
    text: z.string().max(120).default('').describe('part of a title or key'),
    project: criterion.describe('key of a project'),
    status: criterion.describe('a status, or Open'),
    assignee: criterion.describe('name of a member, or Unassigned'),
    label: criterion.describe('name of a label'),
    priority: criterion.describe('a priority'),
    sprint: criterion.describe('name of a sprint, or No sprint'),
    sort: z.enum(sortOrders).default('Newest first'),
    page: z.int().min(1).default(1),
  }),
  run(state, { text, sort, page, ...shown }) {
    const filter: Filter = {
      query: text,
      project: criterionOf(state, 'project', shown.project),
      status: criterionOf(state, 'status', shown.status),
      assignee: criterionOf(state, 'assignee', shown.assignee),
      label: criterionOf(state, 'label', shown.label),
      priority: criterionOf(state, 'priority', shown.priority),
      sprint: criterionOf(state, 'sprint', shown.sprint),
    };
    const found = issuesMatching(state, filter, sort);
    return { total: found.length, issues: found.slice((page - 1) * 20, page * 20).map(issue => summary(state, issue)) };
  },
});

const getIssue = query('get_issue', {
  about: 'Everything about one issue: fields, labels, links and comments.',
  input: z.object({ id: z.string().max(20).describe('key of the issue, such as CORE-41') }),
  run(state, { id }) {
    const issue = needIssue(state, id);
    return {
      ...summary(state, issue),
      description: issue.description,
      reporter: nameOf(state, issue.reporter),
      created: issue.created,
      labels: issue.labels.flatMap(label => find(state.labels, label) ?? []),
      parent: issue.parent,
      blockedBy: issue.blockedBy,
      blocks: state.issues.filter(other => other.blockedBy.includes(id)).map(other => other.id),
      subIssues: state.issues.filter(other => other.parent === id).map(other => other.id),
      comments: state.comments
        .filter(comment => comment.issue === id)
        .map(comment => ({
          id: comment.id,
          author: nameOf(state, comment.author),
          text: comment.text,
          date: comment.date,
        })),
    };
  },
});

function summary(state: Tracker, issue: Issue) {
  const { id, title, type, status, priority, points, due } = issue;
  const [assignee, sprint] = [nameOf(state, issue.assignee), sprintName(state, issue.sprint)];
  return { id, title, type, status, priority, assignee, points, due, sprint };
}

const listSprints = query('list_sprints', {
  about: 'All sprints with their status, dates, capacity and load.',
  input: nothing,
  run: state => state.sprints.map(sprint => ({ ...sprint, load: { ...pointsOf(state.issues, sprint.id) } })),
});

const listMembers = query('list_members', {
  about: 'All members and the projects they belong to.',
  input: nothing,
  run: state => state.members,
});

const getProject = query('get_project', {
  about: 'Settings of a project: default assignee, estimate scale and labels.',
  input: z.object({ id: z.string().max(20).describe('key of the project: CORE, WEB or MOB') }),
  run(state, { id }) {
    const { name, scale, defaultAssignee } = need(state.projects, id, 'project');
    const labels = state.labels.filter(label => label.project === id);
    return { id, name, defaultAssignee: nameOf(state, defaultAssignee), scale, estimates: [...scales[scale]], labels };
  },
});

const listFilters = query('list_filters', {
  about: 'Your saved filters.',
  input: nothing,
  run: state => state.filters,
});

const getSettings = query('get_settings', {
  about: 'Your personal settings, your member id and the date of today.',
  input: nothing,
  run: state => ({ me: state.me, today: state.today, settings: state.settings }),
});

export const queries = [searchIssues, getIssue, listSprints, listMembers, getProject, listFilters, getSettings];
