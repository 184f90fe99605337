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
  switchButton,
  text,
  type Child,
} from '../../../worlds/app/elements.ts';
import { find } from '../../../worlds/app/table.ts';
import { applyFilter, openPanel, showWork } from './gestures.ts';
import {
  addLabel,
  changeSetting,
  deleteFilter,
  deleteLabel,
  editFilter,
  renameLabel,
  saveFilter,
  setDefaultAssignee,
  setEstimateScale,
} from './planning-commands.ts';
import {
  scaleNames,
  settingChoices,
  settingLabels,
  settingNames,
  type Project,
  type SavedFilter,
  type Tracker,
} from './state.ts';
import { closePanel, counted, criteriaFields, field } from './view-issues.ts';
import { projectChoice } from './view-planning.ts';
import { nameOf, teamNames } from './workflow.ts';

const shuffled = { shuffle: true } as const;
const everything = {
  project: 'Any',
  status: 'Any',
  assignee: 'Any',
  label: 'Any',
  priority: 'Any',
  sprint: 'Any',
};

export function filtersView(state: Tracker): UiNode {
  const { panel, target, form: typed } = state.ui;
  const opened = find(state.filters, target);
  return region('Saved filters', [
    form('Add a filter', [
      field(state, 'Filter name', 'name'),
      button('Create filter', saveFilter.with({ name: typed.name, ...everything })),
    ]),
    list(
      counted(state.filters.length, 'filter'),
      state.filters.map(({ id, name }) =>
        listItem(name, [
          link(`Show ${name}`, applyFilter.with({ id })),
          button('Change', openPanel.with({ panel: 'edit-filter', target: id })),
          button('Remove', openPanel.with({ panel: 'delete-filter', target: id })),
        ]),
      ),
    ),
    opened !== undefined && panel === 'edit-filter' && filterEditor(state, opened),
    opened !== undefined &&
      panel === 'delete-filter' &&
      dialog(`Delete the filter ${opened.name}?`, [
        button('Delete filter', deleteFilter.with({ id: opened.id })),
        button('Cancel', closePanel),
      ]),
  ]);
}

function filterEditor(state: Tracker, filter: SavedFilter): UiNode {
  const { id } = filter;
  return form(`Filter ${filter.name} keeps`, [
    ...criteriaFields(state, filter, name => editFilter.entering({ id, field: name })),
    button('Close', closePanel),
  ]);
}

export function membersView(state: Tracker): UiNode {
  return region('Members', [
    text('Open a member to see their open issues.'),
    list(
      counted(state.members.length, 'member'),
      state.members.map(({ id, name, role, projects }) =>
        listItem(role, [link(name, showWork.with({ id })), text(projects.join(', '))]),
      ),
    ),
  ]);
}

export function projectView(state: Tracker, project: Project): UiNode {
  const { id, name, scale, defaultAssignee } = project;
  const team = teamNames(state, id);
  const labels = state.labels.filter(label => label.project === id);
  return region('Project settings', [
    projectChoice(state),
    heading(`${name} (${id})`),
    text(`Members: ${team.join(', ')}`),
    form(
      'Defaults',
      [
        combobox('Default assignee', nameOf(state, defaultAssignee), {
          enter: setDefaultAssignee.entering({ project: id }),
          options: ['Unassigned', ...team],
        }),
        combobox('Estimate scale', scale, { enter: setEstimateScale.entering({ project: id }), options: scaleNames }),
      ],
      shuffled,
    ),
    list(
      counted(labels.length, 'label'),
      labels.map(label =>
        listItem(label.name, [
          button(`Rename ${label.name}`, openPanel.with({ panel: 'rename-label', target: label.id })),
          button(`Delete ${label.name}`, openPanel.with({ panel: 'delete-label', target: label.id })),
        ]),
      ),
    ),
    labelPanel(state, id),
  ]);
}

function labelPanel(state: Tracker, project: string): Child {
  const { panel, target, form: typed } = state.ui;
  const label = find(state.labels, target);
  const cancel = button('Cancel', closePanel);
  if (label !== undefined && panel === 'rename-label') {
    return dialog(`Rename the label ${label.name}`, [
      field(state, 'New label name', 'name'),
      button('Rename label', renameLabel.with({ id: label.id, name: typed.name })),
      cancel,
    ]);
  }
  if (label !== undefined && panel === 'delete-label') {
    return dialog(`Delete the label ${label.name} from all issues?`, [
      button('Delete label', deleteLabel.with({ id: label.id })),
      cancel,
    ]);
  }
  return form('Add a label', [
    field(state, 'Label name', 'name'),
    button('Add label', addLabel.with({ project, name: typed.name })),
  ]);
}

export function settingsView(state: Tracker): UiNode {
  const { settings } = state;
  return region('My settings', [
    text(`Signed in as ${nameOf(state, state.me)}`),
    form(
      'Preferences',
      settingNames.map(setting => {
        const [label, value, options] = [settingLabels[setting], settings[setting], settingChoices[setting]] as const;
        if (options !== settingChoices.autoWatch) {
          return combobox(label, value, { enter: changeSetting.entering({ setting }), options });
        }
        const next = value === 'On' ? 'Off' : 'On';
        return switchButton(label, value === 'On', changeSetting.with({ setting, value: next }));
      }),
      shuffled,
    ),
  ]);
}
