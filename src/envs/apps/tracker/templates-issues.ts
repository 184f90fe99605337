import type { Random } from '../../../core/random.ts';
import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import type { Check } from '../../../worlds/app/template.ts';
import { listing } from './queries.ts';
import { issueTypes, priorities, scales, template, type Issue, type Tracker } from './state.ts';
import { newRemarks, newTitles } from './words.ts';
import { isOpen, nameOf } from './workflow.ts';

/** Whether an issue is on the screen: in the list or opened. */
function isShown({ ui, ...data }: Tracker, id: string): boolean {
  if (ui.screen === 'issue') return ui.issue === id;
  return ui.screen === 'issues' && listing({ ...data, ui }).shown.items.some(issue => issue.id === id);
}

export function pickIssue(state: Tracker, random: Random, fits: (issue: Issue) => boolean): Issue | null {
  const fitting = state.issues.filter(fits);
  return fitting.length === 0 ? null : random.pick(fitting);
}

/** Members of a project. */
export function teamOf(state: Tracker, project: string): Tracker['members'] {
  return state.members.filter(member => member.projects.includes(project));
}

/** A check of one issue; an issue that is gone fails it. */
export function issueCheck(name: string, id: string, test: (issue: Issue) => boolean): Check<Tracker> {
  return {
    name,
    test(final) {
      const issue = find(final.issues, id);
      return issue !== undefined && test(issue);
    },
  };
}

/** A check that exactly one issue was made, with this key and title, and only what the task names set. */
export function onlyNewIssue(id: string, title: string): Check<Tracker> {
  return {
    name: `exactly one issue was created, called "${title}"`,
    test(final, initial) {
      const [made, ...more] = added(initial.issues, final.issues);
      if (made === undefined || more.length > 0) return false;
      const bare = made.description === '' && made.status === 'Backlog' && made.due === null && made.sprint === null;
      const unlinked = made.labels.length === 0 && made.blockedBy.length === 0;
      return made.id === id && made.title === title && made.reporter === final.me && bare && unlinked;
    },
  };
}

const whoIsAssigned = template('who-is-assigned', {
  about: 'Tell who works on the issue with a given title.',
  split: 'train',
  sample(state, random) {
    const inView = listing(state).shown.items;
    const issue = pickIssue(state, random, known => known.assignee !== null && !inView.includes(known));
    return issue === null ? null : { id: issue.id, title: issue.title };
  },
  instruction: ({ title }, random) =>
    random.pick([
      `Who is the assignee of the issue "${title}"? Answer with the full name.`,
      `Look up the issue "${title}" and answer with the full name of the person it is assigned to.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => nameOf(initial, find(initial.issues, id)?.assignee ?? null),
  shown: (state, { id }) => isShown(state, id),
});

const commentOnIssue = template('comment-on-issue', {
  about: 'Write a given comment on an issue.',
  split: 'train',
  sample(state, random) {
    const { id, title } = random.pick(state.issues);
    return { id, title, comment: random.pick(newRemarks), made: nextId(state.comments, 'c') };
  },
  instruction: ({ title, comment }, random) =>
    random.pick([
      `Comment on the issue "${title}": "${comment}"`,
      `Leave the comment "${comment}" on the issue called "${title}".`,
    ]),
  checks: ({ id, comment, made }) => [
    {
      name: 'exactly one comment was added, by you, on that issue and with that text',
      test(final, initial) {
        const [own, ...more] = added(initial.comments, final.comments);
        if (own === undefined || more.length > 0 || own.id !== made) return false;
        return own.issue === id && own.text === comment && own.author === final.me && own.date === final.today;
      },
    },
  ],
  allow: ({ made }) => [`/comments/${made}`],
});

/** An open issue nobody has begun, with values to set on it. */
function sampleTriage(state: Tracker, random: Random) {
  const issue = pickIssue(state, random, ({ status }) => status === 'Backlog' || status === 'Todo');
  if (issue === null) return null;
  const { id, title, project } = issue;
  const [member, other] = random.sample(teamOf(state, project), 2);
  const scale = find(state.projects, project)?.scale ?? 'Fibonacci';
  if (member === undefined || other === undefined) return null;
  const [priority = 'High', otherPriority = 'Low'] = random.sample(priorities, 2);
  const estimate: string = random.pick(scales[scale].slice(1));
  return { id, title, member: member.id, name: member.name, other: other.id, priority, otherPriority, estimate };
}

const triageIssue = template('triage-issue', {
  about: 'Set the priority, assignee and estimate of an issue.',
  split: 'train',
  sample: sampleTriage,
  setup(draft, { id, otherPriority }) {
    Object.assign(need(draft.issues, id, 'issue'), { priority: otherPriority, assignee: null, points: null });
  },
  instruction: ({ title, name, priority, estimate }, random) =>
    random.pick([
      `Triage "${title}": priority ${priority}, assigned to ${name}, estimated at ${estimate} points.`,
      `The issue "${title}" goes to ${name} with priority ${priority}; its estimate is ${estimate} points. Set this.`,
    ]),
  checks: ({ id, member, name, priority, estimate }) => [
    issueCheck(`its priority is ${priority}`, id, issue => issue.priority === priority),
    issueCheck(`it is assigned to ${name}`, id, issue => issue.assignee === member),
    issueCheck(`its estimate is ${estimate}`, id, issue => issue.points === Number(estimate)),
  ],
  allow: ({ id }) => [`/issues/${id}/priority`, `/issues/${id}/assignee`, `/issues/${id}/points`],
});

const alreadyTriaged = template('already-triaged', {
  about: 'Make sure of a priority and an assignee; in half of the tasks one of them is another.',
  split: 'train',
  kind: 'already-done',
  sample(state, random) {
    const made = sampleTriage(state, random);
    if (made === null || isShown(state, made.id)) return null;
    const missing = random.chance(0.5) ? random.pick(['priority', 'assignee']) : null;
    return { ...made, prioritised: missing !== 'priority', assigned: missing !== 'assignee' };
  },
  isTwin: ({ prioritised, assigned }) => prioritised === false || assigned === false,
  setup(draft, { id, priority, otherPriority, member, other, prioritised, assigned }) {
    Object.assign(need(draft.issues, id, 'issue'), {
      priority: prioritised ? priority : otherPriority,
      assignee: assigned ? member : other,
    });
  },
  instruction: ({ title, name, priority }, random) =>
    random.pick([
      `Make sure that "${title}" has priority ${priority} and is assigned to ${name}.`,
      `Check that ${name} owns "${title}" and that its priority is ${priority}; correct it if not.`,
    ]),
  checks: ({ id, member, name, priority }) => [
    issueCheck(`its priority is ${priority}`, id, issue => issue.priority === priority),
    issueCheck(`it is assigned to ${name}`, id, issue => issue.assignee === member),
  ],
  allow: ({ id, prioritised }) => [prioritised ? `/issues/${id}/assignee` : `/issues/${id}/priority`],
  shown: (state, { id }) => isShown(state, id),
});

const createFullIssue = template('create-issue', {
  about: 'Create an issue with a title, type, priority, assignee and estimate in a project.',
  split: 'train',
  sample(state, random) {
    const { id: project, scale, defaultAssignee } = random.pick(state.projects);
    const others = teamOf(state, project).filter(({ id }) => id !== defaultAssignee);
    const { id: member, name } = random.pick(others);
    const [type, priority] = [random.pick(['Bug', 'Story', 'Spike']), random.pick(['Urgent', 'High', 'Low'])];
    const estimate: string = random.pick(scales[scale]);
    const id = nextId(state.issues, `${project}-`);
    return { id, title: random.pick(newTitles), project, type, priority, member, name, estimate };
  },
  instruction: ({ title, project, type, priority, name, estimate }, random) =>
    random.pick([
      `Create an issue of type ${type} in ${project} called "${title}" with priority ${priority} and an estimate of ${estimate === '1' ? '1 point' : `${estimate} points`}, assigned to ${name}.`,
      `File a new ${type} in the project ${project}: "${title}". Priority ${priority}, assignee ${name}, estimate ${estimate}.`,
    ]),
  checks: ({ id, title, project, type, priority, member, name, estimate }) => [
    onlyNewIssue(id, title),
    issueCheck(`it is a ${type} in ${project}`, id, issue => issue.type === type && issue.project === project),
    issueCheck(`its priority is ${priority}`, id, issue => issue.priority === priority && issue.parent === null),
    issueCheck(`it is assigned to ${name}`, id, issue => issue.assignee === member),
    issueCheck(`its estimate is ${estimate}`, id, issue => issue.points === Number(estimate)),
  ],
  allow: ({ id }) => [`/issues/${id}`],
});

const linkBlocker = template('link-blocker', {
  about: 'Record that one issue is blocked by another.',
  split: 'train',
  sample(state, random) {
    const issue = pickIssue(state, random, known => isOpen(known) && known.blockedBy.length === 0);
    if (issue === null) return null;
    // A blocker that waits for nothing cannot close a circle.
    const free = (known: Issue): boolean => isOpen(known) && known.id !== issue.id && known.blockedBy.length === 0;
    const blocker = pickIssue(state, random, free);
    return blocker === null ? null : { id: issue.id, title: issue.title, key: blocker.id, relation: 'Blocked by' };
  },
  instruction: ({ title, key }, random) =>
    random.pick([
      `Record that "${title}" is blocked by ${key}.`,
      `"${title}" cannot go on before ${key} is done. Link the two issues accordingly.`,
    ]),
  checks: ({ id, key }) => [
    {
      ...issueCheck(`it is blocked by ${key} and nothing else`, id, ({ blockedBy }) => blockedBy.join() === key),
      id: 'blocked-by',
    },
  ],
  allow: ({ id }) => [`/issues/${id}/blockedBy`],
});

const pickUpIssue = template('pick-up-issue', {
  about: 'Put an issue into the active sprint, assign it and move it on to In review.',
  split: 'train',
  sample(state, random) {
    const active = state.sprints.filter(({ status }) => status === 'Active');
    const sprint = random.pick(active);
    const fits = ({ project, status }: Issue): boolean => project === sprint.project && status === 'Todo';
    const issue = pickIssue(state, random, fits);
    if (issue === null) return null;
    const { id: member, name } = random.pick(teamOf(state, issue.project));
    const { id, title } = issue;
    return { id, title, member, name, sprint: sprint.id, sprintName: sprint.name, via: 'In progress' };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.issues, id, 'issue'), { assignee: null, sprint: null });
  },
  instruction: ({ title, name, sprintName }, random) =>
    random.pick([
      `${name} has picked up "${title}" and it is ready for review. Put it into ${sprintName}, assign it to ${name} and change its status step by step to In review.`,
      `Plan "${title}" into ${sprintName}, make ${name} its assignee, then change its status: first In progress, then In review.`,
    ]),
  checks: ({ id, member, name, sprint, sprintName }) => [
    issueCheck(`it is in ${sprintName}`, id, issue => issue.sprint === sprint),
    issueCheck(`it is assigned to ${name}`, id, issue => issue.assignee === member),
    issueCheck('it is in review', id, issue => issue.status === 'In review'),
  ],
  allow: ({ id }) => [`/issues/${id}/sprint`, `/issues/${id}/assignee`, `/issues/${id}/status`],
});

const assignOutsider = template('assign-outsider', {
  about: 'Assign an issue to someone who in half of the tasks is not a member of its project.',
  split: 'train',
  kind: 'infeasible',
  sample(state, random) {
    const { id, title, project, assignee } = random.pick(state.issues.filter(isOpen));
    const isMember = random.chance(0.5);
    const fitting = state.members.filter(
      known => known.projects.includes(project) === isMember && known.id !== assignee,
    );
    if (fitting.length === 0) return null;
    const { id: member, name } = random.pick(fitting);
    return { id, title, member, name, isMember };
  },
  isTwin: ({ isMember }) => isMember === true,
  instruction: ({ title, name }, random) =>
    random.pick([
      `Assign the issue "${title}" to ${name}.`,
      `${name} should take over "${title}". Make ${name} the assignee.`,
    ]),
  checks: ({ id, member, name }) => [issueCheck(`it is assigned to ${name}`, id, issue => issue.assignee === member)],
  allow: ({ id }) => [`/issues/${id}/assignee`],
  shown: ({ ui }, { id }) => ui.screen === 'issue' && ui.issue === id,
});

const whichBlocks = template('which-blocks', {
  about: 'Tell which issue blocks another.',
  split: 'test',
  sample(state, random) {
    const issue = pickIssue(state, random, ({ blockedBy }) => blockedBy.length === 1);
    return issue === null ? null : { id: issue.id, title: issue.title };
  },
  instruction: ({ title }, random) =>
    random.pick([
      `Which issue blocks "${title}"? Answer with its key.`,
      `"${title}" is stuck. Answer with the key of the issue that blocks it.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => find(initial.issues, id)?.blockedBy[0] ?? '',
  shown: ({ ui }, { id }) => ui.screen === 'issue' && ui.issue === id,
});

const addSubIssue = template('add-sub-issue', {
  about: 'Create an issue and make it a sub-issue of an existing one.',
  split: 'test',
  sample(state, random) {
    const parent = pickIssue(state, random, issue => isOpen(issue) && issue.type === 'Story' && issue.parent === null);
    if (parent === null) return null;
    const { id: key, project } = parent;
    const id = nextId(state.issues, `${project}-`);
    const type = random.pick(issueTypes.filter(known => known !== 'Task'));
    return { id, title: random.pick(newTitles), key, project, type, relation: 'Sub-issue of' };
  },
  instruction: ({ title, key, project, type }, random) =>
    random.pick([
      `Split off a part of ${key}: create the ${type} "${title}" in ${project} and make it a sub-issue of ${key}.`,
      `In ${project}, add a ${type} called "${title}" as a sub-issue of ${key}.`,
    ]),
  checks: ({ id, title, key, project, type }) => [
    onlyNewIssue(id, title),
    issueCheck(`it is a ${type} in ${project}, with the usual priority and no estimate`, id, issue => {
      const plain = issue.priority === 'Medium' && issue.points === null;
      return issue.type === type && issue.project === project && plain;
    }),
    {
      name: 'it is assigned as new issues of the project are',
      test: (final, initial) => find(final.issues, id)?.assignee === find(initial.projects, project)?.defaultAssignee,
    },
    { ...issueCheck(`it is a sub-issue of ${key}`, id, issue => issue.parent === key), id: 'parent' },
  ],
  allow: ({ id }) => [`/issues/${id}`],
});

const handOver = template('hand-over', {
  about: 'Reassign all open issues that one member has in a project to another member.',
  split: 'test',
  sample(state, random) {
    const { id: project } = random.pick(state.projects);
    const open = state.issues.filter(issue => issue.project === project && isOpen(issue));
    const owned = (member: string): Issue[] => open.filter(({ assignee }) => assignee === member);
    const leaving = teamOf(state, project).filter(({ id }) => owned(id).length >= 2 && owned(id).length <= 3);
    if (leaving.length === 0) return null;
    const from = random.pick(leaving);
    const { id: heir, name } = random.pick(teamOf(state, project).filter(({ id }) => id !== from.id));
    const field = 'Assignee';
    return {
      project,
      field,
      member: from.id,
      from: from.name,
      name,
      heir,
      status: 'Open',
      ids: owned(from.id).map(({ id }) => id),
    };
  },
  instruction: ({ project, from, name }, random) =>
    random.pick([
      `${from} leaves the project ${project}. Reassign every open issue that ${from} has in ${project} to ${name}.`,
      `Hand all open ${project} issues of ${from} over to ${name}; leave closed issues and other projects alone.`,
    ]),
  checks: ({ ids, heir, name }) =>
    ids.map(id => issueCheck(`${id} is assigned to ${name}`, id, issue => issue.assignee === heir)),
  allow: ({ ids }) => ids.map(id => `/issues/${id}/assignee`),
});

export const issueTemplates = [
  whoIsAssigned,
  commentOnIssue,
  triageIssue,
  alreadyTriaged,
  createFullIssue,
  linkBlocker,
  pickUpIssue,
  assignOutsider,
  whichBlocks,
  addSubIssue,
  handOver,
];
