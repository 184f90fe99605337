import { refuse } from '../../../core/errors.ts';
import { find, need } from '../../../worlds/app/table.ts';
import {
  issueTypes,
  priorities,
  scales,
  statuses,
  type BulkField,
  type Issue,
  type Project,
  type Sprint,
  type Status,
  type Tracker,
} from './state.ts';

/** Where an issue may go from each status. */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  Backlog: ['Todo', 'Cancelled'],
  Todo: ['Backlog', 'In progress', 'Cancelled'],
  'In progress': ['Todo', 'In review', 'Cancelled'],
  'In review': ['In progress', 'Done', 'Cancelled'],
  Done: ['Todo'],
  Cancelled: ['Backlog'],
};

export function isOpen({ status }: Pick<Issue, 'status'>): boolean {
  return status !== 'Done' && status !== 'Cancelled';
}

export interface SprintLoad {
  readonly issues: number;
  readonly open: number;
  readonly points: number;
}

export function pointsOf(issues: readonly Issue[], sprint: string): SprintLoad {
  let count = 0;
  let open = 0;
  let points = 0;
  for (const issue of issues) {
    if (issue.sprint !== sprint) continue;
    count++;
    if (isOpen(issue)) open++;
    points += issue.points ?? 0;
  }
  return { issues: count, open, points };
}

export function activeSprint(state: Tracker, project: string): Sprint | undefined {
  return state.sprints.find(sprint => sprint.project === project && sprint.status === 'Active');
}

/** Names of the sprints that issues of a project can be planned into. */
export function openSprintNames(state: Tracker, project: string): string[] {
  const names: string[] = [];
  for (const sprint of state.sprints) {
    if (sprint.project === project && sprint.status !== 'Completed') names.push(sprint.name);
  }
  return names;
}

export function teamNames(state: Tracker, project: string): string[] {
  const names: string[] = [];
  for (const member of state.members) if (member.projects.includes(project)) names.push(member.name);
  return names;
}

export function nameOf(state: Tracker, member: string | null): string {
  return member === null ? 'Unassigned' : (find(state.members, member)?.name ?? 'Unassigned');
}

export function sprintName(state: Tracker, sprint: string | null): string {
  return sprint === null ? 'Backlog' : (find(state.sprints, sprint)?.name ?? 'Backlog');
}

export function needProject(state: Tracker, key: string): Project {
  const keys = state.projects.map(project => project.id).join(', ');
  return find(state.projects, key) ?? refuse(`There is no project "${key}": expected ${keys}.`);
}

export function needIssue(state: Tracker, key: string): Issue {
  return need(state.issues, key, 'issue');
}

/** The id of the member of a project who has this name. */
export function teamMember(state: Tracker, project: string, name: string): string {
  const member = state.members.find(known => known.name === name);
  if (member === undefined) return refuse(`There is no member called "${name}".`);
  if (!member.projects.includes(project)) refuse(`${name} is not a member of ${project}.`);
  return member.id;
}

export type Setter = (state: Tracker, issue: Issue, value: string) => void;

/** How each field of an issue is set; each refuses what the rules forbid. */
export const setters: Readonly<Record<BulkField | 'Type' | 'Estimate', Setter>> = {
  Type: (_state, issue, value) => {
    issue.type = oneOf(issueTypes, value, 'type');
  },
  Priority: (_state, issue, value) => {
    issue.priority = oneOf(priorities, value, 'priority');
  },
  Status: setStatus,
  Assignee: setAssignee,
  Estimate: setEstimate,
  Sprint: setSprint,
};

function setStatus(state: Tracker, issue: Issue, value: string): void {
  const status = oneOf(statuses, value, 'status');
  const allowed = transitions[issue.status];
  if (!allowed.includes(status)) {
    refuse(`${issue.id} cannot go from ${issue.status} to ${status}, only to ${allowed.join(' or ')}.`);
  }
  if (status === 'In progress' && issue.assignee === null) refuse(`${issue.id} needs an assignee before work starts.`);
  if (status === 'Done') requireFinished(state, issue);
  issue.status = status;
}

function requireFinished(state: Tracker, issue: Issue): void {
  const blocker = issue.blockedBy.find(id => isOpenId(state, id));
  if (blocker !== undefined) refuse(`${issue.id} is still blocked by ${blocker}.`);
  const child = state.issues.find(other => other.parent === issue.id && isOpen(other));
  if (child !== undefined) refuse(`The sub-issue ${child.id} of ${issue.id} is still open.`);
}

function isOpenId(state: Tracker, id: string): boolean {
  const issue = find(state.issues, id);
  return issue !== undefined && isOpen(issue);
}

function setAssignee(state: Tracker, issue: Issue, value: string): void {
  if (value !== 'Unassigned') issue.assignee = teamMember(state, issue.project, value);
  else if (issue.status === 'In progress' || issue.status === 'In review') {
    refuse(`${issue.id} is ${issue.status.toLowerCase()}: it needs an assignee.`);
  } else issue.assignee = null;
}

function setEstimate(state: Tracker, issue: Issue, value: string): void {
  const { scale } = needProject(state, issue.project);
  const steps: readonly string[] = scales[scale];
  if (value !== 'None' && !steps.includes(value)) {
    refuse(`${issue.project} estimates on the ${scale} scale: expected None, ${steps.join(', ')}.`);
  }
  issue.points = value === 'None' ? null : Number(value);
}

function setSprint(state: Tracker, issue: Issue, value: string): void {
  if (!isOpen(issue)) refuse(`${issue.id} is closed: it stays in ${sprintName(state, issue.sprint)}.`);
  issue.sprint = value === 'Backlog' ? null : openSprint(state, issue.project, value).id;
}

/** The planned or active sprint of a project with this name. */
export function openSprint(state: Tracker, project: string, name: string): Sprint {
  const sprint = state.sprints.find(known => known.name === name);
  if (sprint === undefined) return refuse(`There is no sprint called "${name}".`);
  if (sprint.project !== project) refuse(`${name} is not a sprint of ${project}.`);
  if (sprint.status === 'Completed') refuse(`${name} is completed.`);
  return sprint;
}

export function oneOf<T extends string>(choices: readonly T[], value: string, what: string): T {
  const found = choices.find(choice => choice === value);
  return found ?? refuse(`"${value}" is not a ${what}: expected ${choices.join(', ')}.`);
}
