import type { UiNode } from '../../../core/ui.ts';
import { defineApp } from '../../../worlds/app/app.ts';
import { alert, button, link, navigation, page } from '../../../worlds/app/elements.ts';
import { find } from '../../../worlds/app/table.ts';
import { trackerIssueTemplates } from '../held-out-2/tracker-issues.ts';
import { trackerPlanningTemplates } from '../held-out-2/tracker-planning.ts';
import { trackerThirdSet } from '../held-out-3/tracker.ts';
import { gestures, go, goHome } from './gestures.ts';
import { issueCommands } from './issue-commands.ts';
import { planningCommands } from './planning-commands.ts';
import { queries } from './queries.ts';
import { seedTracker } from './seed.ts';
import { screens, trackerState, type Screen, type Tracker } from './state.ts';
import { issueTemplates } from './templates-issues.ts';
import { planningTemplates } from './templates-planning.ts';
import { issueListView, issueView, newIssueView } from './view-issues.ts';
import { backlogView, boardView, openedSprint, sprintsView, sprintView } from './view-planning.ts';
import { filtersView, membersView, projectView, settingsView } from './view-settings.ts';

const places: readonly (readonly [string, Screen])[] = [
  ['Issues', 'issues'],
  ['Board', 'board'],
  ['Backlog', 'backlog'],
  ['Sprints', 'sprints'],
  ['Saved filters', 'filters'],
  ['Members', 'members'],
  ['Project settings', 'project'],
  ['My settings', 'settings'],
];

function mainNavigation(screen: Screen): UiNode {
  const links = places.map(([name, to]) =>
    link(name, go.with({ screen: to }), to === screen ? ['current'] : undefined),
  );
  const nodes = [link('Home', goHome.with({})), ...links, button('New issue', go.with({ screen: 'new' }))];
  return navigation('Main', nodes, { shuffle: true });
}

/** It is on every screen and depends on nothing else, so it is drawn once. */
const navigations = new Map<Screen, UiNode>(screens.map(screen => [screen, mainNavigation(screen)]));

function view(state: Tracker): UiNode {
  const { screen, notice } = state.ui;
  return page('Tracker', [navigations.get(screen) ?? null, notice !== '' && alert(notice), body(state)]);
}

function body(state: Tracker): UiNode {
  const { screen } = state.ui;
  switch (screen) {
    case 'new':
      return newIssueView(state);
    case 'board':
      return boardView(state);
    case 'backlog':
      return backlogView(state);
    case 'filters':
      return filtersView(state);
    case 'members':
      return membersView(state);
    case 'settings':
      return settingsView(state);
    case 'sprints':
      return sprintsView(state);
    case 'sprint': {
      const sprint = openedSprint(state);
      return sprint === undefined ? sprintsView(state) : sprintView(state, sprint);
    }
    case 'project': {
      const project = find(state.projects, state.ui.project);
      return project === undefined ? issueListView(state) : projectView(state, project);
    }
    default: {
      const issue = screen === 'issue' ? find(state.issues, state.ui.issue) : undefined;
      return issue === undefined ? issueListView(state) : issueView(state, issue);
    }
  }
}

export const tracker = defineApp({
  id: 'tracker',
  title: 'Issue tracker',
  about: 'Issues of three software projects: workflow, sprints, boards, labels, links and saved filters.',
  state: trackerState,
  init: seedTracker,
  commands: [...issueCommands, ...planningCommands, ...queries, ...gestures],
  view,
  heldOutCommands: {
    never: ['create_sprint', 'edit_issue', 'edit_sprint', 'label_issue', 'set_estimate_scale', 'start_sprint'],
    notAlone: ['set_default_assignee', 'set_status'],
  },
  templates: [
    ...issueTemplates,
    ...planningTemplates,
    ...trackerIssueTemplates,
    ...trackerPlanningTemplates,
    ...trackerThirdSet,
  ],
  phrases: {
    plan_issue: ['Move {id} into {value}', 'Plan {id} for {value}'],
    link_issue: ['Link {id} to {target} as {relation}'],
    unlink_issue: ['Remove the link {relation} between {id} and {target}'],
    update_issues: ['Set the field {field} of {ids} to {value}', 'Change {field} to {value} for {ids}'],
    complete_sprint: ['Complete {id} and move its open issues to {destination}'],
    rename_label: ['Rename {id} to {name}', 'Give {id} the name {name}'],
    set_default_assignee: [
      'Make {value} the default assignee of {project}',
      'New issues of {project} should go to {value}',
    ],
    edit_filter: ['Set {field} of {id} to {value}'],
  },
  undoable: ['/labels', '/filters'],
  synonyms: {
    Home: ['Go to start', 'My start'],
    Issues: ['All issues', 'Issue list'],
    Board: ['Sprint board', 'Kanban board'],
    Sprints: ['Iterations', 'Sprint planning'],
    'Saved filters': ['My filters', 'Stored searches'],
    Members: ['People', 'Team'],
    'Project settings': ['Project options', 'Configure project'],
    'My settings': ['Preferences', 'Account settings'],
    'New issue': ['Add issue', 'Report issue'],
    'Create issue': ['Submit issue', 'Save issue'],
    'Change status': ['Move issue', 'Set status'],
    'Edit text': ['Edit description', 'Edit issue'],
    'Edit labels': ['Label issue', 'Tags'],
    'Link issue': ['Add relation', 'Connect issue'],
    'Delete issue': ['Remove issue', 'Discard issue'],
    'Write comment': ['Reply', 'New comment'],
    'Post comment': ['Add comment', 'Send comment'],
    Filters: ['Show filters', 'Refine'],
    'Bulk edit': ['Edit several', 'Change many'],
    'Clear filters': ['Reset filters', 'Show everything'],
    'Start sprint': ['Begin sprint', 'Kick off sprint'],
    'Complete sprint': ['Finish sprint', 'Close sprint'],
    'Edit sprint': ['Change sprint', 'Sprint details'],
    'Next page': ['Further', 'More issues'],
    'Previous page': ['Earlier', 'Back a page'],
    'Search by title or key': ['Find by title or key', 'Title or key contains'],
  },
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
