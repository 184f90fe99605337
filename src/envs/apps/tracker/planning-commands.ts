import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { need, nextId, remove } from '../../../worlds/app/table.ts';
import { done } from './issue-commands.ts';
import {
  anything,
  command,
  criterionNames,
  scaleNames,
  settingChoices,
  settingLabels,
  settingNames,
  type SavedFilter,
  type Tracker,
} from './state.ts';
import { criterionOf } from './queries.ts';
import { activeSprint, isOpen, needProject, oneOf, openSprint, pointsOf, sprintName, teamMember } from './workflow.ts';

const id = z.string().max(20);
const project = id.describe('key of the project, such as CORE');
const day = z.iso.date('write dates like 2026-03-31');
const sprintFields = {
  name: z.string().trim().min(2, 'give the sprint a name').max(40),
  goal: z.string().trim().max(120),
  capacity: z.coerce
    .string()
    .trim()
    .regex(/^[1-9]\d{0,2}$/, 'the capacity is a number of points from 1 to 500')
    .refine(text => Number(text) <= 500, 'the capacity is a number of points from 1 to 500'),
  start: day,
  end: day,
};
const plannedLimit = 4;
const labelLimit = 10;
const filterLimit = 10;

interface SprintText {
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

function requireSprint(draft: Tracker, { name, start, end }: SprintText, own: string | null): void {
  if (end <= start) refuse('A sprint ends after it starts.');
  const taken = draft.sprints.some(sprint => sprint.name === name && sprint.id !== own);
  if (taken || name === 'Backlog') refuse(`The name "${name}" is taken.`);
}

export const createSprint = command('create_sprint', {
  about: 'Plan a new sprint.',
  input: z.object({ project, ...sprintFields }),
  run(draft, input) {
    const { id: owner } = needProject(draft, input.project);
    requireSprint(draft, input, null);
    const planned = draft.sprints.filter(sprint => sprint.project === owner && sprint.status === 'Planned').length;
    if (planned >= plannedLimit) refuse(`${owner} has ${planned} planned sprints: start or complete one first.`);
    const made = { ...input, id: nextId(draft.sprints, 's'), capacity: Number(input.capacity) };
    draft.sprints.push({ ...made, project: owner, status: 'Planned' });
    Object.assign(draft.ui, { screen: 'sprint', sprint: made.id, page: 1 });
    done(draft, `${input.name} is planned.`);
    return { id: made.id };
  },
});

export const editSprint = command('edit_sprint', {
  about: 'Change name, goal, capacity and dates of a sprint that is not completed.',
  input: z.object({ id: id.describe('id of the sprint'), ...sprintFields }),
  run(draft, input) {
    const sprint = need(draft.sprints, input.id, 'sprint');
    if (sprint.status === 'Completed') refuse(`${sprint.name} is completed.`);
    requireSprint(draft, input, sprint.id);
    Object.assign(sprint, { ...input, capacity: Number(input.capacity) });
    done(draft, `${input.name} is saved.`);
  },
});

export const startSprint = command('start_sprint', {
  about: 'Start a planned sprint. A project has one active sprint at a time.',
  input: z.object({ id: id.describe('id of the sprint') }),
  run(draft, input) {
    const sprint = need(draft.sprints, input.id, 'sprint');
    if (sprint.status !== 'Planned') refuse(`${sprint.name} is ${sprint.status.toLowerCase()} already.`);
    const running = activeSprint(draft, sprint.project);
    if (running !== undefined) refuse(`${running.name} is active: complete it before you start ${sprint.name}.`);
    const load = pointsOf(draft.issues, sprint.id);
    if (load.issues === 0) refuse(`${sprint.name} has no issues yet.`);
    if (load.points > sprint.capacity) {
      refuse(`${sprint.name} has ${load.points} points, more than its capacity of ${sprint.capacity}.`);
    }
    sprint.status = 'Active';
    done(draft, `${sprint.name} has started.`);
  },
});

export const completeSprint = command('complete_sprint', {
  about: 'Complete the active sprint; its open issues go to the backlog or to a planned sprint.',
  input: z.object({
    id: id.describe('id of the sprint'),
    destination: z
      .string()
      .min(1, 'choose where open issues go')
      .max(60)
      .describe('where open issues go: Backlog or the name of a planned sprint'),
  }),
  run(draft, input) {
    const sprint = need(draft.sprints, input.id, 'sprint');
    if (sprint.status !== 'Active') refuse(`${sprint.name} is not active.`);
    const next = input.destination === 'Backlog' ? null : openSprint(draft, sprint.project, input.destination).id;
    if (next === sprint.id) refuse('Choose another sprint for the open issues.');
    for (const issue of draft.issues) if (issue.sprint === sprint.id && isOpen(issue)) issue.sprint = next;
    sprint.status = 'Completed';
    done(draft, `${sprint.name} is completed; open issues went to ${sprintName(draft, next)}.`);
  },
});

const labelName = z.string().trim().min(2, 'a label has at least 2 characters').max(30);

function requireFreeLabel(draft: Tracker, name: string, own: string | null): void {
  const taken = draft.labels.find(label => label.name.toLowerCase() === name.toLowerCase() && label.id !== own);
  if (taken !== undefined) refuse(`There is a label "${taken.name}" in ${taken.project} already.`);
}

export const addLabel = command('add_label', {
  about: 'Add a label to a project.',
  input: z.object({ project, name: labelName }),
  run(draft, { project: wanted, name }) {
    const { id: owner } = needProject(draft, wanted);
    requireFreeLabel(draft, name, null);
    if (draft.labels.filter(label => label.project === owner).length >= labelLimit) {
      refuse(`A project has at most ${labelLimit} labels.`);
    }
    const label = { id: nextId(draft.labels, 'l'), project: owner, name };
    draft.labels.push(label);
    draft.ui.form.name = '';
    done(draft, `The label ${name} is added.`);
    return { id: label.id };
  },
});

export const renameLabel = command('rename_label', {
  about: 'Rename a label; issues keep it.',
  input: z.object({ id: id.describe('id of the label'), name: labelName }),
  run(draft, input) {
    const label = need(draft.labels, input.id, 'label');
    requireFreeLabel(draft, input.name, label.id);
    label.name = input.name;
    draft.ui.form.name = '';
    done(draft, `The label is now called ${input.name}.`);
  },
});

export const deleteLabel = command('delete_label', {
  about: 'Delete a label; it disappears from all issues and saved filters.',
  input: z.object({ id: id.describe('id of the label') }),
  run(draft, input) {
    const { name } = need(draft.labels, input.id, 'label');
    remove(draft.labels, input.id);
    for (const issue of draft.issues) {
      if (issue.labels.includes(input.id)) issue.labels = issue.labels.filter(label => label !== input.id);
    }
    for (const filter of [...draft.filters, draft.ui.filter]) if (filter.label === input.id) filter.label = '';
    done(draft, `The label ${name} is deleted.`);
  },
});

export const setDefaultAssignee = command('set_default_assignee', {
  about: 'Choose who gets new issues of a project.',
  input: z.object({ project, value: z.string().max(60).describe('name of a member of the project, or Unassigned') }),
  run(draft, { project: wanted, value }) {
    const owner = needProject(draft, wanted);
    owner.defaultAssignee = value === 'Unassigned' ? null : teamMember(draft, owner.id, value);
    draft.ui.notice = `New issues of ${owner.id} go to ${value}.`;
  },
});

export const setEstimateScale = command('set_estimate_scale', {
  about: 'Choose the scale for new estimates of a project; given ones stay.',
  input: z.object({ project, value: z.string().max(60).describe(scaleNames.join(', ')) }),
  run(draft, { project: wanted, value }) {
    needProject(draft, wanted).scale = oneOf(scaleNames, value, 'scale');
    draft.ui.notice = `${wanted} estimates on the ${value} scale.`;
  },
});

const wanted = z.string().max(60).default('Any');
const filterName = z.string().trim().min(2, 'give the filter a name').max(40);

export const saveFilter = command('save_filter', {
  about: 'Save a filter under a name. A criterion that is Any lets everything through.',
  input: z.object({
    name: filterName,
    project: wanted.describe('key of a project'),
    status: wanted.describe('a status, or Open'),
    assignee: wanted.describe('name of a member, or Unassigned'),
    label: wanted.describe('name of a label'),
    priority: wanted.describe('a priority'),
    sprint: wanted.describe('name of a sprint, or No sprint'),
  }),
  run(draft, input) {
    if (draft.filters.some(filter => filter.name === input.name)) refuse(`There is a filter "${input.name}" already.`);
    if (draft.filters.length >= filterLimit) refuse(`You can keep ${filterLimit} filters: delete one first.`);
    const saved: SavedFilter = { ...anything, id: nextId(draft.filters, 'f'), name: input.name };
    for (const field of criterionNames) saved[field] = criterionOf(draft, field, input[field]);
    draft.filters.push(saved);
    draft.ui.form.name = '';
    Object.assign(draft.ui, { screen: 'filters', panel: 'edit-filter', target: saved.id });
    draft.ui.notice = `The filter ${input.name} is saved.`;
    return { id: saved.id };
  },
});

export const editFilter = command('edit_filter', {
  about: 'Change one criterion of a saved filter.',
  input: z.object({
    id: id.describe('id of the filter'),
    field: z.enum(criterionNames),
    value: z.string().max(60).describe('what to keep, as shown on screen (a name, a status), or Any'),
  }),
  run(draft, input) {
    const filter = need(draft.filters, input.id, 'filter');
    filter[input.field] = criterionOf(draft, input.field, input.value);
    draft.ui.notice = `The filter ${filter.name} is saved.`;
  },
});

export const deleteFilter = command('delete_filter', {
  about: 'Delete a saved filter.',
  input: z.object({ id: id.describe('id of the filter') }),
  run(draft, input) {
    const { name } = need(draft.filters, input.id, 'filter');
    remove(draft.filters, input.id);
    done(draft, `The filter ${name} is deleted.`);
  },
});

export const changeSetting = command('change_setting', {
  about: `Change one of your personal settings. ${settingNames.map(name => `${name}: ${settingChoices[name].join(', ')}`).join('. ')}.`,
  input: z.object({
    setting: z.enum(settingNames),
    value: z.string().max(30).describe('one of the choices of the setting'),
  }),
  run(draft, { setting, value }) {
    const choices: readonly string[] = settingChoices[setting];
    oneOf(choices, value, 'choice');
    Object.assign(draft.settings, { [setting]: value });
    done(draft, `${settingLabels[setting]}: ${value}.`);
  },
});

export const planningCommands = [
  createSprint,
  editSprint,
  startSprint,
  completeSprint,
  addLabel,
  renameLabel,
  deleteLabel,
  setDefaultAssignee,
  setEstimateScale,
  saveFilter,
  editFilter,
  deleteFilter,
  changeSetting,
];
