import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import { issuesMatching } from '../tracker/queries.ts';
import { blankFilter, priorities, settingChoices, settingLabels, settingNames, template } from '../tracker/state.ts';
import type { Tracker } from '../tracker/state.ts';
import { issueCheck, pickIssue, teamOf } from '../tracker/templates-issues.ts';
import { newRemarks } from '../tracker/words.ts';
import { isOpen } from '../tracker/workflow.ts';

/** Unseen skill: no training task labels an issue. */
const labelAndRank = template('label-and-rank', {
  about: 'Put a label on an issue and change its priority.',
  split: 'test-3',
  sample(state, random) {
    const issue = pickIssue(state, random, isOpen);
    const label = issue && random.pick(state.labels.filter(({ project }) => project === issue.project));
    if (issue === null || label === null) return null;
    const priority = random.pick(priorities.filter(known => known !== issue.priority));
    return { id: issue.id, title: issue.title, label: label.id, name: label.name, priority };
  },
  setup(draft, { id }) {
    need(draft.issues, id, 'issue').labels = [];
  },
  instruction: ({ title, name, priority }, random) =>
    random.pick([
      `"${title}" belongs to ${name}: add that label. Its priority is ${priority} now.`,
      `Set the priority of "${title}" to ${priority} and label it ${name}.`,
      `Give the issue "${title}" the label ${name} and the priority ${priority}.`,
    ]),
  checks: ({ id, label, name, priority }) => [
    {
      ...issueCheck(`its only label is ${name}`, id, ({ labels }) => labels.length === 1 && labels[0] === label),
      id: 'label',
    },
    { ...issueCheck(`its priority is ${priority}`, id, issue => issue.priority === priority), id: 'priority' },
  ],
  allow: ({ id }) => [`/issues/${id}/labels`, `/issues/${id}/priority`],
});

const ends = ['2026-06-05', '2026-06-12', '2026-06-19', '2026-06-26'];
const goals = ['Fewer open bugs', 'A faster search', 'Reports that load at once', 'An easier sign-up'];

/** Unseen skill: no training task edits a sprint. */
const extendSprint = template('extend-sprint', {
  about: 'Give a sprint a later end and another goal.',
  split: 'test-3',
  sample(state, random) {
    const open = state.sprints.filter(({ status }) => status !== 'Completed');
    const { id, name } = random.pick(open);
    return { id, name, end: random.pick(ends), goal: random.pick(goals) };
  },
  instruction: ({ name, end, goal }, random) =>
    random.pick([
      `${name} runs longer: it ends on ${end}. Its goal is "${goal}".`,
      `Change the sprint ${name}: end ${end}, goal "${goal}".`,
      `The goal of ${name} should be "${goal}", and the sprint should end on ${end}.`,
    ]),
  checks: ({ id, end, goal }) => [
    { id: 'end', name: `it ends on ${end}`, test: final => find(final.sprints, id)?.end === end },
    { id: 'goal', name: `its goal is "${goal}"`, test: final => find(final.sprints, id)?.goal === goal },
  ],
  allow: ({ id }) => [`/sprints/${id}/end`, `/sprints/${id}/goal`],
});

/** New composition: comments and assignees are taught, not together. */
const passOnWithComment = template('pass-on-with-comment', {
  about: 'Assign an issue to another member and comment on it.',
  split: 'test-3',
  sample(state, random) {
    const issue = pickIssue(state, random, isOpen);
    if (issue === null) return null;
    const team = teamOf(state, issue.project).filter(({ id }) => id !== issue.assignee);
    if (team.length === 0) return null;
    const member = random.pick(team);
    const made = nextId(state.comments, 'c');
    return {
      id: issue.id,
      title: issue.title,
      member: member.id,
      assignee: member.name,
      made,
      comment: random.pick(newRemarks),
    };
  },
  instruction: ({ title, assignee, comment }, random) =>
    random.pick([
      `Hand "${title}" over to ${assignee}, and leave the comment "${comment}" on it.`,
      `Comment on "${title}": "${comment}" Then assign it to ${assignee}.`,
      `${assignee} takes "${title}" from here. Assign the issue, and write "${comment}" as a comment.`,
    ]),
  checks: ({ id, member, assignee, made, comment }) => [
    { ...issueCheck(`it is assigned to ${assignee}`, id, issue => issue.assignee === member), id: 'assignee' },
    {
      id: 'comment',
      name: `exactly one comment was added, by you: "${comment}"`,
      test(final, initial) {
        const [own, ...more] = added(initial.comments, final.comments);
        if (own?.id !== made || more.length > 0) return false;
        return own.issue === id && own.text === comment && own.author === final.me && own.date === final.today;
      },
    },
  ],
  allow: ({ id, made }) => [`/issues/${id}/assignee`, `/comments/${made}`],
});

const openOf = (project: string): Tracker['ui']['filter'] => ({ ...blankFilter, project, status: 'Open' });

/** New composition: filters are taught, sorting what they leave is not. */
const largestIssue = template('largest-issue', {
  about: 'Tell which open issue of a project has the most points.',
  split: 'test-3',
  sample(state, random) {
    const { id: project } = random.pick(state.projects);
    const [first, second] = issuesMatching(state, openOf(project), 'Most points');
    if (first === undefined || first.points === null || first.points === second?.points) return null;
    return { project, status: 'Open', sort: 'Most points' };
  },
  instruction: ({ project }, random) =>
    random.pick([
      `Which open issue of ${project} has the most points? Answer with its key.`,
      `Find the largest open ${project} issue by points, and give me its key.`,
      `Of all open issues in ${project}, what is the key of the one that was estimated the highest?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ project }, initial) => issuesMatching(initial, openOf(project), 'Most points')[0]?.id ?? '',
  shown({ ui }, { project }) {
    const wanted = openOf(project);
    const isNarrowed = Object.entries(ui.filter).every(
      ([field, value]) => wanted[field as keyof typeof wanted] === value,
    );
    return ui.screen === 'issues' && isNarrowed && ui.sort === 'Most points' && ui.page <= 1;
  },
});

/** New composition: settings are taught, making sure of two of them is not. */
const settingsAreMine = template('settings-are-mine', {
  about: 'Make sure of two personal settings; in half of the tasks one of them is another.',
  split: 'test-3',
  kind: 'already-done',
  sample(_state, random) {
    const [first, second] = random.sample(settingNames, 2);
    if (first === undefined || second === undefined) return null;
    const drawn = [first, second].map(setting => {
      const [value = '', other = ''] = random.sample<string>(settingChoices[setting], 2);
      return { setting, label: settingLabels[setting], value, other };
    });
    return { drawn, wrong: random.chance(0.5) ? random.between(0, 1) : -1 };
  },
  isTwin: ({ wrong }) => wrong >= 0,
  setup(draft, { drawn, wrong }) {
    for (const [index, { setting, value, other }] of drawn.entries())
      Object.assign(draft.settings, { [setting]: index === wrong ? other : value });
  },
  instruction({ drawn }, random) {
    const [first, second] = drawn.map(({ label, value }) => ({ label, value }));
    return random.pick([
      `I want "${first?.label}" on ${first?.value} and "${second?.label}" on ${second?.value}. Check both, please.`,
      `Make sure that my setting "${second?.label}" says ${second?.value} and that "${first?.label}" says ${first?.value}.`,
      `"${first?.label}" should be ${first?.value}; "${second?.label}" should be ${second?.value}. Correct what is not.`,
    ]);
  },
  checks: ({ drawn }) =>
    drawn.map(({ setting, label, value }, index) => ({
      id: `setting-${index + 1}`,
      name: `${label} is ${value}`,
      test: (final: Tracker) => final.settings[setting] === value,
    })),
  allow: ({ drawn, wrong }) => [`/settings/${(drawn[Math.max(wrong, 0)] as { setting: string }).setting}`],
  shown: ({ ui }) => ui.screen === 'settings',
});

/** Unseen skill: no training task labels an issue. */
const foreignLabel = template('foreign-label', {
  about: 'Put a label on an issue; in half of the tasks the label belongs to another project.',
  split: 'test-3',
  kind: 'infeasible',
  sample(state, random) {
    const issue = pickIssue(state, random, isOpen);
    if (issue === null) return null;
    const isOwn = random.chance(0.5);
    const labels = state.labels.filter(({ project }) => (project === issue.project) === isOwn);
    if (labels.length === 0) return null;
    const { id: label, name } = random.pick(labels);
    return { id: issue.id, title: issue.title, label, name, isOwn };
  },
  isTwin: ({ isOwn }) => isOwn === true,
  setup(draft, { id }) {
    need(draft.issues, id, 'issue').labels = [];
  },
  instruction: ({ title, name }, random) =>
    random.pick([
      `Put the label ${name} on "${title}".`,
      `"${title}" needs the label ${name}. It has to be exactly that one.`,
      `Please label the issue "${title}" with ${name}.`,
    ]),
  checks: ({ id, label, name }) => [
    {
      ...issueCheck(`its only label is ${name}`, id, ({ labels }) => labels.length === 1 && labels[0] === label),
      id: 'label',
    },
  ],
  allow: ({ id }) => [`/issues/${id}/labels`],
  shown: ({ ui }, { id }) => ui.screen === 'issue' && ui.issue === id && ui.panel === 'labels',
});

export const trackerThirdSet = [
  labelAndRank,
  extendSprint,
  passOnWithComment,
  largestIssue,
  settingsAreMine,
  foreignLabel,
];
