import { z } from 'zod';
import { find } from '../../../worlds/app/table.ts';
import { done, show } from './issue-commands.ts';
import { criterionOf } from './queries.ts';
import {
  anything,
  blankFilter,
  blankForm,
  criterionNames,
  formFields,
  gesture,
  panels,
  priorities,
  screens,
  sortOrders,
  statuses,
  type BulkField,
  type Screen,
  type Tracker,
} from './state.ts';
import { needIssue, needProject, openSprintNames } from './workflow.ts';

const nothing = z.object({});
const record = z.object({ id: z.string() });

export const go = gesture('go', {
  about: 'Go to another page.',
  input: z.object({ screen: z.enum(screens) }),
  run(draft, { screen }) {
    leaveFor(draft, screen);
  },
});

const startScreens = { Issues: 'issues', Board: 'board', Backlog: 'backlog', Sprints: 'sprints' } as const;

export const goHome = gesture('go_home', {
  about: 'Go to the start page that is set.',
  input: nothing,
  run(draft) {
    leaveFor(draft, startScreens[draft.settings.startPage]);
  },
});

/** Filters, sorting and the project stay; what was open or typed is left behind. */
function leaveFor(draft: Tracker, screen: Screen): void {
  const form = { ...blankForm, project: screen === 'new' ? draft.ui.project : '' };
  Object.assign(draft.ui, { screen, issue: '', sprint: '', panel: 'none', target: '', page: 1, notice: '', form });
}

export const openIssue = gesture('open_issue', {
  about: 'Open an issue.',
  input: record,
  run(draft, { id }) {
    show(draft, needIssue(draft, id).id);
  },
});

export const openSprintPage = gesture('open_sprint', {
  about: 'Open a sprint.',
  input: record,
  run(draft, { id }) {
    Object.assign(draft.ui, { screen: 'sprint', sprint: id, panel: 'none', target: '', page: 1, notice: '' });
  },
});

export const switchProject = gesture('switch_project', {
  about: 'Look at another project.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { project: needProject(draft, value).id, sprint: '', page: 1 });
    // The form of a new sprint has this choice in it: what is typed there stays.
    if (draft.ui.panel === 'new-sprint') draft.ui.notice = '';
    else done(draft, '');
  },
});

export const chooseSprint = gesture('choose_sprint', {
  about: 'Show another sprint on the board.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.sprint = criterionOf(draft, 'sprint', value);
  },
});

export const search = gesture('search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(120) }),
  run(draft, { value }) {
    draft.ui.filter.query = value;
    Object.assign(draft.ui, { page: 1, notice: '' });
  },
});

export const setFilter = gesture('set_filter', {
  about: 'Set one filter of the issue list.',
  input: z.object({ field: z.enum(criterionNames), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui.filter[field] = criterionOf(draft, field, value);
    draft.ui.page = 1;
  },
});

export const clearFilters = gesture('clear_filters', {
  about: 'Show all issues again.',
  input: nothing,
  run(draft) {
    draft.ui.filter = { ...blankFilter };
    Object.assign(draft.ui, { page: 1, notice: '' });
  },
});

export const applyFilter = gesture('apply_filter', {
  about: 'Show the issues of a saved filter.',
  input: record,
  run(draft, { id }) {
    const filter = find(draft.filters, id);
    if (filter === undefined) return;
    const { id: _id, name: _name, ...kept } = filter;
    draft.ui.filter = { query: '', ...kept };
    Object.assign(draft.ui, { screen: 'issues', panel: 'filters', page: 1, notice: '' });
  },
});

export const showWork = gesture('show_work', {
  about: 'Show the open issues of a member.',
  input: record,
  run(draft, { id }) {
    draft.ui.filter = { query: '', ...anything, assignee: id, status: 'Open' };
    Object.assign(draft.ui, { screen: 'issues', panel: 'none', page: 1, notice: '' });
  },
});

export const sortIssues = gesture('sort_issues', {
  about: 'Sort the issue list.',
  input: z.object({ value: z.enum(sortOrders) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { sort: value, page: 1 });
  },
});

export const turnPage = gesture('turn_page', {
  about: 'Go to a page of the list.',
  input: z.object({ page: z.int() }),
  run(draft, { page }) {
    draft.ui.page = page;
  },
});

export const toggleSelected = gesture('toggle_selected', {
  about: 'Select an issue of the list, or deselect it.',
  input: record,
  run(draft, { id }) {
    const others = draft.ui.selected.filter(known => known !== id);
    draft.ui.selected = others.length < draft.ui.selected.length ? others : [...others, needIssue(draft, id).id];
  },
});

export const selectIssues = gesture('select_issues', {
  about: 'Select exactly these issues.',
  input: z.object({ ids: z.array(z.string()) }),
  run(draft, { ids }) {
    draft.ui.selected = ids;
  },
});

export const openPanel = gesture('open_panel', {
  about: 'Open a menu, form or dialog of the page, or close it.',
  input: z.object({ panel: z.enum(panels), target: z.string() }),
  run(draft, { panel, target }) {
    Object.assign(draft.ui, { panel, target, notice: '' });
    draft.ui.form = { ...blankForm, ...textsFor(draft) };
  },
});

/** What the form of a panel holds when it opens. */
function textsFor(draft: Tracker): Partial<Tracker['ui']['form']> {
  const { panel, target } = draft.ui;
  if (panel === 'edit') return issueText(draft);
  if (panel === 'edit-sprint') return sprintText(draft, target);
  return panel === 'rename-label' ? { name: find(draft.labels, target)?.name ?? '' } : {};
}

function issueText(draft: Tracker): Partial<Tracker['ui']['form']> {
  const issue = find(draft.issues, draft.ui.issue);
  return issue === undefined ? {} : { title: issue.title, description: issue.description, due: issue.due ?? '' };
}

function sprintText(draft: Tracker, id: string): Partial<Tracker['ui']['form']> {
  const sprint = find(draft.sprints, id);
  if (sprint === undefined) return {};
  const { name, goal, start, end, capacity } = sprint;
  return { name, goal, start, end, capacity: String(capacity) };
}

export const fillIn = gesture('fill_in', {
  about: 'Fill in a field of a form.',
  input: z.object({ field: z.enum(formFields), value: z.string().max(400) }),
  run(draft, { field, value }) {
    draft.ui.form[field] = value;
    if (field === 'bulkField') draft.ui.form.bulkValue = bulkValues(draft, value as BulkField)[0] ?? '';
  },
});

/** What a field of several issues may be set to. */
export function bulkValues(state: Tracker, field: BulkField): readonly string[] {
  if (field === 'Priority') return priorities;
  if (field === 'Status') return statuses;
  if (field === 'Assignee') return ['Unassigned', ...state.members.map(member => member.name)];
  return ['Backlog', ...state.projects.flatMap(project => openSprintNames(state, project.id))];
}

export const gestures = [
  go,
  goHome,
  openIssue,
  openSprintPage,
  switchProject,
  chooseSprint,
  search,
  setFilter,
  clearFilters,
  applyFilter,
  showWork,
  sortIssues,
  turnPage,
  toggleSelected,
  selectIssues,
  openPanel,
  fillIn,
];
