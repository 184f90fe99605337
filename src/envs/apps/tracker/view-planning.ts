import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  combobox,
  dialog,
  form,
  heading,
  link,
  list,
  listItem,
  region,
  status as statusLine,
  text,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import { find, paginate } from '../../../worlds/app/table.ts';
import { chooseSprint, go, openIssue, openPanel, openSprintPage, switchProject } from './gestures.ts';
import { completeSprint, createSprint, editSprint, startSprint } from './planning-commands.ts';
import { blankFilter, statuses, type Issue, type Sprint, type Tracker } from './state.ts';
import { issuesMatching, rowsPerPage } from './queries.ts';
import { choice, closePanel, counted, field, issueRow, pager } from './view-issues.ts';
import { activeSprint, nameOf, pointsOf } from './workflow.ts';

const shuffled = { shuffle: true } as const;
const cardsPerColumn = 6;
const sprintsPerPage = 12;

export function projectChoice(state: Tracker): UiNode {
  const options = state.projects.map(project => project.id);
  return combobox('Project', state.ui.project, { enter: switchProject.entering({}), options });
}

/** The sprint of the board: the chosen one, else the active one, else the first. */
function boardSprint(state: Tracker): Sprint | undefined {
  const { project, sprint } = state.ui;
  const chosen = find(state.sprints, sprint);
  if (chosen?.project === project) return chosen;
  return activeSprint(state, project) ?? state.sprints.find(known => known.project === project);
}

export function boardView(state: Tracker): UiNode {
  const sprint = boardSprint(state);
  const options: string[] = [];
  for (const known of state.sprints) if (known.project === state.ui.project) options.push(known.name);
  const planned = issuesMatching(state, { ...blankFilter, sprint: sprint?.id ?? 'none' }, 'Newest first');
  return region('Board', [
    toolbar(
      'Shown on the board',
      [projectChoice(state), combobox('Sprint', sprint?.name ?? '', { enter: chooseSprint.entering({}), options })],
      shuffled,
    ),
    ...statuses.map(name =>
      column(
        state,
        name,
        planned.filter(issue => issue.status === name),
      ),
    ),
  ]);
}

function column(state: Tracker, name: string, issues: readonly Issue[]): Child {
  if (issues.length === 0) return text(`${name}: 0`);
  const cards = issues.slice(0, cardsPerColumn).map(({ id, title, assignee }) => {
    const words = `${id} ${title} (${nameOf(state, assignee)})`;
    return link(words, openIssue.with({ id }));
  });
  const more = issues.length - cards.length;
  return list(`${name}: ${issues.length}`, [...cards, more > 0 && text(`and ${more} more`)]);
}

export function backlogView(state: Tracker): UiNode {
  const filter = { ...blankFilter, project: state.ui.project, status: 'Open', sprint: 'none' };
  const shown = paginate(issuesMatching(state, filter, 'Newest first'), state.ui.page, rowsPerPage);
  return region('Backlog', [
    projectChoice(state),
    text('Open issues that are in no sprint'),
    list(
      counted(shown.total, 'issue'),
      shown.items.map(issue => issueRow(state, issue)),
    ),
    pager(shown),
  ]);
}

export function sprintsView(state: Tracker): UiNode {
  const shown = paginate(state.sprints, state.ui.page, sprintsPerPage);
  const load = new Map<string, number>();
  for (const { sprint, points } of state.issues) {
    if (sprint !== null && points !== null) load.set(sprint, (load.get(sprint) ?? 0) + points);
  }
  const { panel } = state.ui;
  return region('Sprints', [
    panel !== 'new-sprint' && button('New sprint', openPanel.with({ panel: 'new-sprint', target: '' })),
    panel === 'new-sprint' && newSprintForm(state),
    list(
      counted(shown.total, 'sprint'),
      shown.items.map(({ id, name, status, capacity }) =>
        listItem(status, [
          link(name, openSprintPage.with({ id })),
          text(`${counted(load.get(id) ?? 0, 'point')} planned, capacity ${capacity}`),
        ]),
      ),
    ),
    pager(shown),
  ]);
}

function sprintFields(state: Tracker): UiNode[] {
  return [
    field(state, 'Sprint name', 'name'),
    field(state, 'Goal', 'goal'),
    field(state, 'Capacity', 'capacity'),
    field(state, 'Start date', 'start'),
    field(state, 'End date', 'end'),
  ];
}

function newSprintForm(state: Tracker): UiNode {
  const { name, goal, capacity, start, end } = state.ui.form;
  const input = { project: state.ui.project, name, goal, capacity, start, end };
  return form('Plan a sprint', [
    projectChoice(state),
    ...sprintFields(state),
    button('Create sprint', createSprint.with(input)),
    button('Cancel', closePanel),
  ]);
}

export function sprintView(state: Tracker, sprint: Sprint): UiNode {
  const { id, name, project, goal, status, start, end, capacity } = sprint;
  const load = pointsOf(state.issues, id);
  const filter = { ...blankFilter, sprint: id };
  const shown = paginate(issuesMatching(state, filter, 'Newest first'), state.ui.page, rowsPerPage);
  const open = (panel: Tracker['ui']['panel']) => openPanel.with({ panel, target: id });
  return region('Sprint', [
    link('Back to sprints', go.with({ screen: 'sprints' })),
    heading(name),
    statusLine(`${status}, ${project}, ${start} to ${end}`),
    text(`Goal: ${goal === '' ? 'none' : goal}`),
    text(`${counted(load.points, 'point')} planned, capacity ${capacity}, ${counted(load.open, 'open issue')}`),
    status !== 'Completed' &&
      toolbar(
        'Sprint tools',
        [
          status === 'Planned' && button('Start sprint', open('start')),
          status === 'Active' && button('Complete sprint', open('complete')),
          button('Edit sprint', open('edit-sprint')),
        ],
        shuffled,
      ),
    state.ui.target === id && sprintPanel(state, sprint),
    list(
      counted(shown.total, 'issue'),
      shown.items.map(issue => issueRow(state, issue)),
    ),
    pager(shown),
  ]);
}

function sprintPanel(state: Tracker, { id, name, project, status }: Sprint): Child {
  const { panel, form: typed } = state.ui;
  const cancel = button('Cancel', closePanel);
  if (panel === 'start' && status === 'Planned') {
    return dialog(`Start ${name} today?`, [button('Start now', startSprint.with({ id })), cancel]);
  }
  if (panel === 'complete' && status === 'Active') {
    const options = ['Backlog'];
    for (const known of state.sprints) {
      if (known.project === project && known.status === 'Planned') options.push(known.name);
    }
    return dialog(`Complete ${name}?`, [
      choice(state, 'Move open issues to', { of: 'destination', options }),
      button('Complete now', completeSprint.with({ id, destination: typed.destination })),
      cancel,
    ]);
  }
  if (panel !== 'edit-sprint' || status === 'Completed') return null;
  const { name: named, goal, capacity, start, end } = typed;
  return form('Edit sprint', [
    ...sprintFields(state),
    button('Save sprint', editSprint.with({ id, name: named, goal, capacity, start, end })),
    cancel,
  ]);
}

/** The sprint page that is open, if there is such a sprint. */
export function openedSprint(state: Tracker): Sprint | undefined {
  return state.ui.screen === 'sprint' ? find(state.sprints, state.ui.sprint) : undefined;
}
