import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  checkbox,
  combobox,
  dialog,
  form,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  region,
  searchBox,
  text,
  textbox,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import { find, type Page } from '../../../worlds/app/table.ts';
import {
  bulkValues,
  clearFilters,
  fillIn,
  go,
  openIssue,
  openPanel,
  search,
  selectIssues,
  setFilter,
  sortIssues,
  toggleSelected,
  turnPage,
} from './gestures.ts';
import {
  addComment,
  assignIssue,
  createIssue,
  deleteComment,
  deleteIssue,
  editIssue,
  estimateIssue,
  labelIssue,
  linkIssue,
  planIssue,
  setPriority,
  setStatus,
  setType,
  unlinkIssue,
  updateIssues,
} from './issue-commands.ts';
import { saveFilter } from './planning-commands.ts';
import { criterionOptions, criterionText, listing } from './queries.ts';
import {
  bulkFields,
  criterionNames,
  issueTypes,
  priorities,
  relations,
  scales,
  sortOrders,
  type BulkField,
  type Criterion,
  type FormField,
  type Issue,
  type Tracker,
} from './state.ts';
import { nameOf, openSprintNames, sprintName, teamNames, transitions } from './workflow.ts';

const shuffled = { shuffle: true } as const;
const commentsShown = 6;

export const closePanel = openPanel.with({ panel: 'none', target: '' });
const togglePanel = (state: Tracker, panel: 'filters' | 'bulk') =>
  state.ui.panel === panel ? closePanel : openPanel.with({ panel, target: '' });

/** A text field of a form. */
export function field(state: Tracker, name: string, of: FormField): UiNode {
  return textbox(name, state.ui.form[of], { enter: fillIn.entering({ field: of }) });
}

interface Choice {
  readonly of: FormField;
  readonly options: readonly string[];
}

/** A choice in a form. */
export function choice(state: Tracker, name: string, { of, options }: Choice): UiNode {
  return combobox(name, state.ui.form[of], { enter: fillIn.entering({ field: of }), options });
}

export function pager({ page, pages }: Page<unknown>): UiNode | null {
  if (pages === 1) return null;
  return navigation(`Page ${page} of ${pages}`, [
    page > 1 && button('Previous page', turnPage.with({ page: page - 1 })),
    page < pages && button('Next page', turnPage.with({ page: page + 1 })),
  ]);
}

export const counted = (count: number, thing: string): string => `${count} ${count === 1 ? thing : `${thing}s`}`;

const pointsText = (points: number | null): string => (points === null ? 'no estimate' : counted(points, 'point'));

export function issueRow(state: Tracker, issue: Issue): UiNode {
  const { id, title, status, priority, points } = issue;
  return listItem(id, [
    link(title, openIssue.with({ id })),
    text(`${status}, ${priority}, ${nameOf(state, issue.assignee)}, ${pointsText(points)}`),
  ]);
}

export function issueListView(state: Tracker): UiNode {
  const { filter, sort, panel, selected } = state.ui;
  const { found, shown } = listing(state);
  const rows = panel === 'bulk' ? shown.items.map(issue => selectableRow(state, issue)) : null;
  return region('Issues', [
    searchBox('Find issues', [textbox('Search by title or key', filter.query, { enter: search.entering({}) })]),
    toolbar(
      'List tools',
      [
        button('Filters', togglePanel(state, 'filters'), panel === 'filters' ? ['expanded'] : undefined),
        button('Bulk edit', togglePanel(state, 'bulk'), panel === 'bulk' ? ['expanded'] : undefined),
        button('Clear filters', clearFilters.with({})),
        combobox('Sort by', sort, { enter: sortIssues.entering({}), options: sortOrders }),
      ],
      shuffled,
    ),
    panel === 'filters' && filterForm(state),
    panel === 'bulk' && bulkForm(state, found),
    text(`${filterSummary(state)}${selected.length > 0 ? `, ${selected.length} selected` : ''}`),
    list(counted(shown.total, 'issue'), rows ?? shown.items.map(issue => issueRow(state, issue))),
    pager(shown),
  ]);
}

const criterionLabels: Readonly<Record<Criterion, string>> = {
  project: 'Project',
  status: 'Status',
  assignee: 'Assignee',
  label: 'Label',
  priority: 'Priority',
  sprint: 'Sprint',
};

/** One choice for each criterion; `enter` tells what choosing does. */
export function criteriaFields(
  state: Tracker,
  filter: Readonly<Record<Criterion, string>>,
  enter: (field: Criterion) => ReturnType<typeof setFilter.entering>,
): UiNode[] {
  return criterionNames.map(name =>
    combobox(criterionLabels[name], criterionText(state, name, filter[name]), {
      enter: enter(name),
      options: criterionOptions(state, name),
    }),
  );
}

function filterForm(state: Tracker): UiNode {
  const { filter, form: typed } = state.ui;
  const shown = (name: Criterion): string => criterionText(state, name, filter[name]);
  const save = saveFilter.with({
    name: typed.name,
    project: shown('project'),
    status: shown('status'),
    assignee: shown('assignee'),
    label: shown('label'),
    priority: shown('priority'),
    sprint: shown('sprint'),
  });
  return form('Filter issues', [
    ...criteriaFields(state, filter, name => setFilter.entering({ field: name })),
    field(state, 'Filter name', 'name'),
    button('Save filter', save),
  ]);
}

function filterSummary(state: Tracker): string {
  const parts: string[] = [];
  for (const name of criterionNames) {
    const value = state.ui.filter[name];
    if (value !== '') parts.push(`${criterionLabels[name]}: ${criterionText(state, name, value)}`);
  }
  return parts.length === 0 ? 'All issues' : parts.join(', ');
}

function selectableRow(state: Tracker, issue: Issue): UiNode {
  const row = issueRow(state, issue);
  const { id } = issue;
  const box = checkbox(`Select ${id}`, state.ui.selected.includes(id), toggleSelected.with({ id }));
  return { ...row, children: [box, ...(row.children ?? [])] };
}

function bulkForm(state: Tracker, found: readonly Issue[]): UiNode {
  const { selected, form: typed } = state.ui;
  const options = bulkValues(state, typed.bulkField as BulkField);
  const wanted = { ids: selected, field: typed.bulkField as BulkField, value: typed.bulkValue };
  return form('Edit selected issues', [
    button('Select all', selectIssues.with({ ids: found.map(issue => issue.id) })),
    button('Select none', selectIssues.with({ ids: [] })),
    choice(state, 'Field', { of: 'bulkField', options: bulkFields }),
    choice(state, 'New value', { of: 'bulkValue', options }),
    button('Apply to selected', updateIssues.with(wanted)),
  ]);
}

export function newIssueView(state: Tracker): UiNode {
  const { title, project, type, priority, assignee, estimate } = state.ui.form;
  const scale = find(state.projects, project)?.scale ?? 'Fibonacci';
  const input = { title, description: '', project, type, priority, assignee, estimate };
  return region('New issue', [
    form(
      'Create an issue',
      [
        field(state, 'Title', 'title'),
        choice(state, 'Project', { of: 'project', options: state.projects.map(known => known.id) }),
        choice(state, 'Type', { of: 'type', options: issueTypes }),
        choice(state, 'Priority', { of: 'priority', options: priorities }),
        choice(state, 'Assignee', {
          of: 'assignee',
          options: ['Project default', 'Unassigned', ...teamNames(state, project)],
        }),
        choice(state, 'Estimate', { of: 'estimate', options: ['None', ...scales[scale]] }),
        button('Create issue', createIssue.with(input)),
      ],
      shuffled,
    ),
  ]);
}

export function issueView(state: Tracker, issue: Issue): UiNode {
  const { id, title, description, type, due, created, reporter } = issue;
  return region('Issue', [
    link('Back to issues', go.with({ screen: 'issues' })),
    heading(`${id} ${title}`),
    description !== '' && text(description),
    text(
      `${type} reported by ${nameOf(state, reporter)} on ${created}, ${due === null ? 'no due date' : `due ${due}`}`,
    ),
    text(`Labels: ${labelsText(state, issue)}`),
    issueTools(issue),
    issuePanel(state, issue),
    details(state, issue),
    links(state, issue),
    comments(state, issue),
  ]);
}

function labelsText(state: Tracker, { labels }: Issue): string {
  const names = labels.map(label => find(state.labels, label)?.name ?? '');
  return names.length === 0 ? 'none' : names.join(', ');
}

const opening = (panel: Tracker['ui']['panel']) => openPanel.with({ panel, target: '' });

function issueTools({ status }: Issue): UiNode {
  return toolbar(
    `Status: ${status}`,
    [
      button('Change status', openPanel.with({ panel: 'status', target: status })),
      button('Edit text', opening('edit')),
      button('Edit labels', opening('labels')),
      button('Link issue', opening('link')),
      button('Delete issue', opening('delete')),
    ],
    shuffled,
  );
}

function issuePanel(state: Tracker, issue: Issue): Child {
  const { id } = issue;
  const { panel, form: typed } = state.ui;
  const cancel = button('Cancel', closePanel);
  if (panel === 'status') {
    return menu(`Move ${id} to`, [
      ...transitions[issue.status].map(status => menuItem(status, setStatus.with({ id, value: status }))),
      menuItem('Keep status', closePanel),
    ]);
  }
  if (panel === 'edit') {
    const { title, description, due } = typed;
    return form('Edit text', [
      field(state, 'Title', 'title'),
      field(state, 'Description', 'description'),
      field(state, 'Due date', 'due'),
      button('Save', editIssue.with({ id, title, description, due })),
      cancel,
    ]);
  }
  if (panel === 'labels') {
    const known = state.labels.filter(label => label.project === issue.project);
    const boxes = known.map(label => {
      const on = issue.labels.includes(label.id);
      return checkbox(label.name, on, labelIssue.with({ id, label: label.id, on: !on }));
    });
    return dialog('Labels', [...boxes, button('Close', closePanel)]);
  }
  if (panel === 'link') {
    const relation = relations.find(known => known === typed.relation) ?? 'Blocked by';
    return dialog('Link to another issue', [
      choice(state, 'Relation', { of: 'relation', options: relations }),
      field(state, 'Key of the other issue', 'key'),
      button('Add link', linkIssue.with({ id, relation, target: typed.key })),
      cancel,
    ]);
  }
  if (panel !== 'delete') return null;
  return dialog(`Delete ${id} with its comments?`, [button('Delete for good', deleteIssue.with({ id })), cancel]);
}

function details(state: Tracker, issue: Issue): UiNode {
  const { id, project, points } = issue;
  const scale = find(state.projects, project)?.scale ?? 'Fibonacci';
  return form(
    'Details',
    [
      combobox('Type', issue.type, { enter: setType.entering({ id }), options: issueTypes }),
      combobox('Priority', issue.priority, { enter: setPriority.entering({ id }), options: priorities }),
      combobox('Assignee', nameOf(state, issue.assignee), {
        enter: assignIssue.entering({ id }),
        options: ['Unassigned', ...teamNames(state, project)],
      }),
      combobox('Estimate', points === null ? 'None' : String(points), {
        enter: estimateIssue.entering({ id }),
        options: ['None', ...scales[scale]],
      }),
      combobox('Sprint', sprintName(state, issue.sprint), {
        enter: planIssue.entering({ id }),
        options: ['Backlog', ...openSprintNames(state, project)],
      }),
    ],
    shuffled,
  );
}

function links(state: Tracker, issue: Issue): UiNode {
  const { id } = issue;
  const rows: UiNode[] = [];
  const add = (words: string, relation: (typeof relations)[number], target: string): void => {
    const other = find(state.issues, target);
    if (other === undefined) return;
    rows.push(
      listItem(words, [
        link(`${target} ${other.title}`, openIssue.with({ id: target })),
        text(other.status),
        button(`Unlink ${target}`, unlinkIssue.with({ id, relation, target })),
      ]),
    );
  };
  if (issue.parent !== null) add('Sub-issue of', 'Sub-issue of', issue.parent);
  for (const blocker of issue.blockedBy) add('Blocked by', 'Blocked by', blocker);
  for (const other of state.issues) {
    if (other.blockedBy.includes(id)) add('Blocks', 'Blocks', other.id);
    if (other.parent === id) {
      const child = link(`${other.id} ${other.title}`, openIssue.with({ id: other.id }));
      rows.push(listItem('Sub-issue', [child, text(other.status)]));
    }
  }
  return list(rows.length === 0 ? 'No links' : 'Links', rows);
}

function comments(state: Tracker, { id }: Issue): UiNode {
  const own = state.comments.filter(comment => comment.issue === id);
  const rows = own.slice(-commentsShown).map(comment => {
    const words = `${nameOf(state, comment.author)} on ${comment.date}`;
    const removable = comment.author === state.me;
    return listItem(words, [
      text(comment.text),
      removable && button('Delete comment', deleteComment.with({ comment: comment.id })),
    ]);
  });
  return region(counted(own.length, 'comment'), [
    ...rows,
    state.ui.panel === 'comment' && commentForm(state, id),
    state.ui.panel !== 'comment' && button('Write comment', opening('comment')),
  ]);
}

function commentForm(state: Tracker, id: string): UiNode {
  return form('New comment', [
    field(state, 'Comment', 'comment'),
    button('Post comment', addComment.with({ id, text: state.ui.form.comment })),
    button('Cancel', closePanel),
  ]);
}
