import { z } from 'zod';
import { appKit } from '../../../worlds/app/app.ts';

export const statuses = ['Backlog', 'Todo', 'In progress', 'In review', 'Done', 'Cancelled'] as const;
export const priorities = ['Urgent', 'High', 'Medium', 'Low'] as const;
export const issueTypes = ['Bug', 'Story', 'Task', 'Spike'] as const;
export const relations = ['Blocked by', 'Blocks', 'Sub-issue of'] as const;
export const sortOrders = ['Newest first', 'Oldest first', 'Priority', 'Due date', 'Most points'] as const;
export const bulkFields = ['Priority', 'Assignee', 'Status', 'Sprint'] as const;

/** What an issue of a project may be estimated at. */
export const scales = {
  Fibonacci: ['1', '2', '3', '5', '8', '13'],
  Linear: ['1', '2', '3', '4', '5', '6'],
  'Powers of two': ['1', '2', '4', '8', '16'],
} as const;
export const scaleNames = ['Fibonacci', 'Linear', 'Powers of two'] as const;

const onOff = ['On', 'Off'] as const;
export const settingChoices = {
  theme: ['Light', 'Dark', 'High contrast', 'System'],
  density: ['Comfortable', 'Compact'],
  startPage: ['Issues', 'Board', 'Backlog', 'Sprints'],
  digest: ['Never', 'Daily', 'Weekly', 'Monthly'],
  weekStart: ['Monday', 'Saturday', 'Sunday'],
  notifyAssigned: onOff,
  notifyComments: onOff,
  notifyStatus: onOff,
  notifyDue: onOff,
  autoWatch: onOff,
} as const;
export type Setting = keyof typeof settingChoices;
export const settingNames = Object.keys(settingChoices) as [Setting, ...Setting[]];
export const settingLabels: Readonly<Record<Setting, string>> = {
  theme: 'Theme',
  density: 'Density',
  startPage: 'Start page',
  digest: 'Email digest',
  weekStart: 'Week starts on',
  notifyAssigned: 'Notify on assignment',
  notifyComments: 'Notify on comments',
  notifyStatus: 'Notify on status changes',
  notifyDue: 'Remind of due dates',
  autoWatch: 'Watch issues I create',
};

const id = z.string();
const issue = z.object({
  /** The key, such as CORE-41. */
  id,
  project: id,
  title: z.string().max(120),
  description: z.string().max(400),
  type: z.enum(issueTypes),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  assignee: id.nullable(),
  reporter: id,
  labels: z.array(id),
  points: z.int().nullable(),
  due: z.string().nullable(),
  sprint: id.nullable(),
  parent: id.nullable(),
  blockedBy: z.array(id),
  created: z.string(),
});
const project = z.object({
  /** The key that issue keys begin with. */
  id,
  name: z.string(),
  defaultAssignee: id.nullable(),
  scale: z.enum(scaleNames),
});
const member = z.object({ id, name: z.string(), role: z.string(), projects: z.array(id) });
const sprint = z.object({
  id,
  project: id,
  name: z.string().max(40),
  goal: z.string().max(120),
  status: z.enum(['Planned', 'Active', 'Completed']),
  start: z.string(),
  end: z.string(),
  capacity: z.int().min(1).max(500),
});
const label = z.object({ id, project: id, name: z.string().max(30) });
const comment = z.object({ id, issue: id, author: id, text: z.string().max(400), date: z.string() });

/** Ids to keep, '' for any; 'none' for unassigned or without sprint; status may be 'Open'. */
const criteria = {
  project: id,
  status: id,
  assignee: id,
  label: id,
  priority: id,
  sprint: id,
};
export const criterionNames = ['project', 'status', 'assignee', 'label', 'priority', 'sprint'] as const;
const savedFilter = z.object({ id, name: z.string().max(40), ...criteria });

export const screens = [
  'issues',
  'issue',
  'new',
  'board',
  'backlog',
  'sprints',
  'sprint',
  'filters',
  'members',
  'project',
  'settings',
] as const;
export const panels = [
  'none',
  'filters',
  'bulk',
  'status',
  'labels',
  'link',
  'edit',
  'comment',
  'delete',
  'start',
  'complete',
  'edit-sprint',
  'new-sprint',
  'rename-label',
  'delete-label',
  'edit-filter',
  'delete-filter',
] as const;

export const blankForm = {
  title: '',
  description: '',
  due: '',
  comment: '',
  project: '',
  type: 'Task',
  priority: 'Medium',
  assignee: 'Project default',
  estimate: 'None',
  relation: 'Blocked by',
  key: '',
  name: '',
  goal: '',
  capacity: '',
  start: '',
  end: '',
  destination: '',
  bulkField: 'Priority',
  bulkValue: 'Medium',
};
export type FormField = keyof typeof blankForm;
export const formFields = Object.keys(blankForm) as [FormField, ...FormField[]];
const typed = z.string().max(400);

export const trackerState = z.object({
  today: z.string(),
  /** The member at the screen. */
  me: id,
  issues: z.array(issue),
  projects: z.array(project),
  members: z.array(member),
  sprints: z.array(sprint),
  labels: z.array(label),
  comments: z.array(comment),
  filters: z.array(savedFilter),
  settings: z.object({
    theme: z.enum(settingChoices.theme),
    density: z.enum(settingChoices.density),
    startPage: z.enum(settingChoices.startPage),
    digest: z.enum(settingChoices.digest),
    weekStart: z.enum(settingChoices.weekStart),
    notifyAssigned: z.enum(onOff),
    notifyComments: z.enum(onOff),
    notifyStatus: z.enum(onOff),
    notifyDue: z.enum(onOff),
    autoWatch: z.enum(onOff),
  }),
  ui: z.object({
    screen: z.enum(screens),
    issue: id,
    sprint: id,
    project: id,
    filter: z.object({ query: z.string().max(120), ...criteria }),
    sort: z.enum(sortOrders),
    page: z.int(),
    selected: z.array(id),
    panel: z.enum(panels),
    /** What the panel is about. */
    target: id,
    form: z.record(z.enum(formFields), typed),
    notice: z.string(),
  }),
});

export type Tracker = z.infer<typeof trackerState>;
export type Issue = Tracker['issues'][number];
export type Sprint = Tracker['sprints'][number];
export type Project = Tracker['projects'][number];
export type SavedFilter = Tracker['filters'][number];
export type Filter = Tracker['ui']['filter'];
export type Criterion = (typeof criterionNames)[number];
export type Status = Issue['status'];
export type IssueType = Issue['type'];
export type BulkField = (typeof bulkFields)[number];
export type Screen = Tracker['ui']['screen'];

export const anything = { project: '', status: '', assignee: '', label: '', priority: '', sprint: '' };
export const blankFilter: Filter = { query: '', ...anything };

export const { command, gesture, query, template } = appKit(trackerState);
