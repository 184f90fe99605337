import { find, need } from '../../../worlds/app/table.ts';
import { settingChoices, settingLabels, settingNames, template, type Sprint, type Tracker } from './state.ts';
import { teamOf } from './templates-issues.ts';
import { newLabels } from './words.ts';
import { isOpen, pointsOf } from './workflow.ts';

const countOpen = template('count-open-issues', {
  about: 'Tell how many open issues a member has.',
  split: 'train',
  sample(state, random) {
    const busy = state.members.filter(({ id }) => state.issues.some(issue => issue.assignee === id && isOpen(issue)));
    if (busy.length === 0) return null;
    const { id: member, name } = random.pick(busy);
    return { member, name, status: 'Open' };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `How many open issues are assigned to ${name}? Answer with the number.`,
      `Count the issues of ${name} that are still open and answer with the number.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ member }, initial) =>
    String(initial.issues.filter(issue => issue.assignee === member && isOpen(issue)).length),
  shown: ({ ui }, { member }) => ui.screen === 'issues' && isOnlyOpenOf(ui.filter, member),
});

function isOnlyOpenOf({ assignee, status, ...others }: Tracker['ui']['filter'], member: string): boolean {
  return assignee === member && status === 'Open' && Object.values(others).every(value => value === '');
}

const changeSettings = template('change-settings', {
  about: 'Change two personal settings.',
  split: 'train',
  sample(state, random) {
    const [first, second] = random.sample(settingNames, 2).map(setting => {
      const others = settingChoices[setting].filter(choice => choice !== state.settings[setting]);
      return { setting, label: settingLabels[setting], value: random.pick(others) };
    });
    return first === undefined || second === undefined ? null : { first, second };
  },
  instruction: ({ first, second }, random) =>
    random.pick([
      `In my settings, set "${first.label}" to ${first.value} and "${second.label}" to ${second.value}.`,
      `Please change two of my settings: ${first.label}: ${first.value}; ${second.label}: ${second.value}.`,
    ]),
  checks: ({ first, second }) =>
    [first, second].map(({ setting, label, value }) => ({
      id: 'setting',
      name: `${label} is ${value}`,
      test: (final: Tracker) => final.settings[setting] === value,
    })),
  allow: ({ first, second }) => [`/settings/${first.setting}`, `/settings/${second.setting}`],
});

const tidyProject = template('tidy-project', {
  about: 'Rename a label of a project and change its default assignee.',
  split: 'train',
  sample(state, random) {
    const { id: label, name: oldName, project } = random.pick(state.labels);
    const current = find(state.projects, project)?.defaultAssignee;
    const { id: member, name } = random.pick(teamOf(state, project).filter(({ id }) => id !== current));
    return { label, oldName, project, newLabelName: random.pick(newLabels), member, name };
  },
  instruction: ({ oldName, newLabelName, project, name }, random) =>
    random.pick([
      `In the settings of ${project}, rename the label ${oldName} to ${newLabelName} and make ${name} the default assignee.`,
      `Make ${name} the default assignee of ${project}, and rename its label ${oldName} to ${newLabelName}.`,
    ]),
  checks: ({ label, newLabelName, project, member, name }) => [
    { name: `the label is called ${newLabelName}`, test: final => find(final.labels, label)?.name === newLabelName },
    {
      name: `${name} is the default assignee`,
      test: final => find(final.projects, project)?.defaultAssignee === member,
    },
  ],
  allow: ({ label, project }) => [`/labels/${label}/name`, `/projects/${project}/defaultAssignee`],
});

const completeSprint = template('complete-sprint', {
  about: 'Complete the active sprint and move its open issues to a planned one.',
  split: 'train',
  sample(state, random) {
    const open = ({ id }: Sprint): string[] =>
      state.issues.filter(issue => issue.sprint === id && isOpen(issue)).map(issue => issue.id);
    const active = state.sprints.filter(sprint => sprint.status === 'Active' && open(sprint).length > 0);
    if (active.length === 0) return null;
    const sprint = random.pick(active);
    const planned = state.sprints.filter(({ project, status }) => project === sprint.project && status === 'Planned');
    const next = random.pick(planned);
    return { sprint: sprint.id, name: sprint.name, next: next.id, destination: next.name, ids: open(sprint) };
  },
  instruction: ({ name, destination }, random) =>
    random.pick([
      `Complete the sprint ${name} and move its open issues to ${destination}.`,
      `${name} is over. Complete it; what is still open goes into ${destination}.`,
    ]),
  checks: ({ sprint, name, next, destination, ids }) => [
    { name: `${name} is completed`, test: final => find(final.sprints, sprint)?.status === 'Completed' },
    {
      name: `its open issues are in ${destination}`,
      test: final => ids.every(id => find(final.issues, id)?.sprint === next),
    },
  ],
  allow: ({ sprint, ids }) => [`/sprints/${sprint}/status`, ...ids.map(id => `/issues/${id}/sprint`)],
});

const secondSprint = template('start-second-sprint', {
  about: 'Start a sprint while another one is active: in half of the tasks of the same project, which cannot be.',
  split: 'test',
  kind: 'infeasible',
  sample(state, random) {
    const isSameProject = random.chance(0.5);
    const active = random.pick(state.sprints.filter(sprint => sprint.status === 'Active'));
    const planned = state.sprints.filter(
      ({ id, project, status }) =>
        status === 'Planned' &&
        (isSameProject ? project === active.project : !isBusy(state, project)) &&
        pointsOf(state.issues, id).issues > 0,
    );
    if (planned.length === 0) return null;
    const { id, name } = random.pick(planned);
    return { id, name, running: active.name, isSameProject };
  },
  isTwin: ({ isSameProject }) => isSameProject === false,
  instruction: ({ name, running }, random) =>
    random.pick([
      `Start the sprint ${name} today, while ${running} keeps running.`,
      `We want ${name} to run in parallel with ${running}. Start ${name} and leave ${running} active.`,
    ]),
  checks: ({ id, name }) => [
    { name: `${name} is active`, test: final => find(final.sprints, id)?.status === 'Active' },
  ],
  allow: ({ id }) => [`/sprints/${id}/status`],
  shown: ({ ui }, { id }) => ui.screen === 'sprints' || (ui.screen === 'sprint' && ui.sprint === id),
});

function isBusy({ sprints }: Tracker, project: string): boolean {
  return sprints.some(sprint => sprint.project === project && sprint.status === 'Active');
}

const raiseAndStart = template('raise-capacity-and-start', {
  about: 'Raise the capacity of an overfull sprint, then start it.',
  split: 'test',
  sample(state, random) {
    const startable = state.sprints.filter(({ project, status }) => status === 'Planned' && !isBusy(state, project));
    const { id, name } = random.pick(startable);
    const { points } = pointsOf(state.issues, id);
    return { id, name, low: Math.max(1, points - 1), capacity: points + random.between(1, 20) };
  },
  setup(draft, { id, low }) {
    need(draft.sprints, id, 'sprint').capacity = low;
  },
  instruction: ({ name, capacity }, random) =>
    random.pick([
      `Raise the capacity of ${name} to ${capacity} points and start the sprint.`,
      `Start the sprint ${name}. It is overfull, so set its capacity to ${capacity} first.`,
    ]),
  checks: ({ id, name, capacity }) => [
    { name: `the capacity is ${capacity}`, test: final => find(final.sprints, id)?.capacity === capacity },
    { name: `${name} is active`, test: final => find(final.sprints, id)?.status === 'Active' },
  ],
  allow: ({ id }) => [`/sprints/${id}/capacity`, `/sprints/${id}/status`],
});

const sprintPoints = template('sprint-points', {
  about: 'Tell how many points a sprint holds.',
  split: 'test',
  sample(state, random) {
    const { id, name } = random.pick(state.sprints);
    return { id, name };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `How many points are planned in the sprint ${name} in total? Answer with the number.`,
      `Answer with the total of points planned in ${name}.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => String(pointsOf(initial.issues, id).points),
  shown: ({ ui }, { id }) => ui.screen === 'sprints' || (ui.screen === 'sprint' && ui.sprint === id),
});

export const planningTemplates = [
  countOpen,
  changeSettings,
  tidyProject,
  completeSprint,
  secondSprint,
  raiseAndStart,
  sprintPoints,
];
