import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import { scaleNames, template } from '../tracker/state.ts';
import { teamOf } from '../tracker/templates-issues.ts';

const newSprints = ['Spring cleaning', 'Launch prep', 'Hardening week', 'Beta feedback', 'Quiet release', 'Catch-up'];
const newGoals = [
  'No open bug is older than a month',
  'The beta group can sign up alone',
  'Every page loads in a second',
  'Half as many support tickets',
  'All reports in one place',
];
const spans = [
  ['2026-04-20', '2026-05-01'],
  ['2026-04-27', '2026-05-08'],
  ['2026-05-04', '2026-05-15'],
  ['2026-05-11', '2026-05-29'],
] as const;

const planSprint = template('plan-sprint', {
  about: 'Plan a new sprint with a goal, a capacity and dates.',
  split: 'test-2',
  sample(state, random) {
    const [start, end] = random.pick(spans);
    return {
      made: nextId(state.sprints, 's'),
      project: random.pick(state.projects).id,
      name: random.pick(newSprints),
      goal: random.pick(newGoals),
      capacity: random.between(20, 60),
      start,
      end,
    };
  },
  instruction: ({ project, name, goal, capacity, start, end }, random) =>
    random.pick([
      `Plan a new sprint for ${project}: "${name}", from ${start} to ${end}, with a capacity of ${capacity} points and the goal "${goal}".`,
      `Set up the sprint "${name}" in ${project}. It runs from ${start} to ${end}, we can take ${capacity} points, and the goal is "${goal}".`,
      `${project} needs another sprint. Name: "${name}". Goal: "${goal}". Capacity: ${capacity}. Start: ${start}. End: ${end}.`,
    ]),
  // One check for the whole of it: a sprint cannot be deleted again.
  checks: ({ made, project, name, goal, capacity, start, end }) => [
    {
      id: 'new-sprint',
      name: `exactly one sprint is new: ${name} of ${project}, ${start} to ${end}, ${capacity} points, "${goal}"`,
      test(final, initial) {
        const [sprint, ...more] = added(initial.sprints, final.sprints);
        if (sprint?.id !== made || more.length > 0 || sprint.status !== 'Planned') return false;
        if (sprint.project !== project || sprint.name !== name || sprint.goal !== goal) return false;
        return sprint.capacity === capacity && sprint.start === start && sprint.end === end;
      },
    },
  ],
  allow: ({ made }) => [`/sprints/${made}`],
});

const keepProjectDefaults = template('keep-project-defaults', {
  about: 'Make sure of default assignee and estimate scale of a project; in half of the tasks one of them is another.',
  split: 'test-2',
  kind: 'already-done',
  sample(state, random) {
    const { id: project } = random.pick(state.projects);
    const [member, other] = random.sample(teamOf(state, project), 2);
    const [scale, otherScale] = random.sample(scaleNames, 2);
    if (member === undefined || other === undefined || scale === undefined || otherScale === undefined) return null;
    const missing = random.chance(0.5) ? random.pick(['assignee', 'scale']) : null;
    const isSet = { assigneeIsSet: missing !== 'assignee', scaleIsSet: missing !== 'scale' };
    return { project, member: member.id, name: member.name, other: other.id, scale, otherScale, ...isSet };
  },
  isTwin: ({ assigneeIsSet, scaleIsSet }) => assigneeIsSet === false || scaleIsSet === false,
  setup(draft, { project, member, other, scale, otherScale, assigneeIsSet, scaleIsSet }) {
    Object.assign(need(draft.projects, project, 'project'), {
      defaultAssignee: assigneeIsSet ? member : other,
      scale: scaleIsSet ? scale : otherScale,
    });
  },
  instruction: ({ project, name, scale }, random) =>
    random.pick([
      `New issues of ${project} should go to ${name}, and the team estimates on the ${scale} scale. Make sure that both are set up that way.`,
      `Check the settings of ${project}: default assignee ${name}, estimate scale ${scale}. Correct what is wrong.`,
      `Is ${name} the default assignee of ${project}, and is its estimate scale ${scale}? If not, change it.`,
    ]),
  checks: ({ project, member, name, scale }) => [
    {
      id: 'default-assignee',
      name: `${name} is the default assignee`,
      test: final => find(final.projects, project)?.defaultAssignee === member,
    },
    { id: 'scale', name: `the scale is ${scale}`, test: final => find(final.projects, project)?.scale === scale },
  ],
  allow: ({ project, assigneeIsSet }) => [`/projects/${project}/${assigneeIsSet ? 'scale' : 'defaultAssignee'}`],
  shown: ({ ui }, { project }) => ui.screen === 'project' && ui.project === project,
});

export const trackerPlanningTemplates = [planSprint, keepProjectDefaults];
