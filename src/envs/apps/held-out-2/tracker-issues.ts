import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import { issuesMatching } from '../tracker/queries.ts';
import { blankFilter, issueTypes, template, type Tracker } from '../tracker/state.ts';
import { issueCheck, onlyNewIssue, pickIssue, teamOf } from '../tracker/templates-issues.ts';
import { dueDays, newRemarks, newTitles } from '../tracker/words.ts';
import { isOpen } from '../tracker/workflow.ts';

const reportAndComment = template('report-and-comment', {
  about: 'Create an issue and write the first comment on it.',
  split: 'test-2',
  sample(state, random) {
    const { id: project } = random.pick(state.projects);
    return {
      id: nextId(state.issues, `${project}-`),
      made: nextId(state.comments, 'c'),
      project,
      type: random.pick(['Bug', 'Story', 'Spike']),
      title: random.pick(newTitles),
      priority: random.pick(['Urgent', 'High', 'Low']),
      comment: random.pick(newRemarks),
    };
  },
  instruction: ({ project, type, title, priority, comment }, random) =>
    random.pick([
      `Report a ${type} in ${project} called "${title}", priority ${priority}, and leave the comment "${comment}" on it.`,
      `There is a new ${type} for ${project}: "${title}". Create it with priority ${priority}. The first comment on it should say "${comment}"`,
      `New issue for ${project}, please. Title: "${title}". Type: ${type}. Priority: ${priority}. When it exists, comment on it: "${comment}"`,
    ]),
  checks: ({ id, made, project, type, title, priority, comment }) => [
    onlyNewIssue(id, title),
    issueCheck(`it is a ${type} in ${project}`, id, issue => issue.type === type && issue.project === project),
    issueCheck(`its priority is ${priority}`, id, issue => issue.priority === priority),
    {
      name: 'its assignee is the usual one, and it has no estimate and no parent',
      test(final, { projects }) {
        const issue = find(final.issues, id);
        if (issue === undefined || issue.points !== null || issue.parent !== null) return false;
        return issue.assignee === (find(projects, project)?.defaultAssignee ?? null);
      },
    },
    {
      name: 'exactly one comment was added, by you, on that issue and with that text',
      test(final, initial) {
        const [own, ...more] = added(initial.comments, final.comments);
        if (own === undefined || more.length > 0 || own.id !== made) return false;
        return own.issue === id && own.text === comment && own.author === final.me && own.date === final.today;
      },
    },
  ],
  allow: ({ id, made }) => [`/issues/${id}`, `/comments/${made}`],
});

const putOnHold = template('put-on-hold', {
  about: 'Set an issue that is in progress back to Todo, without assignee and sprint.',
  split: 'test-2',
  sample(state, random) {
    const active = new Set(state.sprints.filter(({ status }) => status === 'Active').map(({ id }) => id));
    const issue = pickIssue(
      state,
      random,
      ({ status, sprint }) => status === 'In progress' && active.has(sprint ?? ''),
    );
    return issue && { id: issue.id, title: issue.title, status: 'Todo', assignee: 'Unassigned', sprint: 'Backlog' };
  },
  instruction: ({ title }, random) =>
    random.pick([
      `"${title}" is on hold. Set its status back to Todo, take it out of the sprint and leave it unassigned.`,
      `Nobody is working on "${title}" for now: status Todo, no assignee, no sprint.`,
      `We had to stop "${title}". Please free the person it is assigned to, plan it out of its sprint, and have it in Todo again.`,
    ]),
  checks: ({ id }) => [
    issueCheck('its status is Todo', id, issue => issue.status === 'Todo'),
    issueCheck('it is assigned to nobody', id, issue => issue.assignee === null),
    issueCheck('it is in no sprint', id, issue => issue.sprint === null),
  ],
  allow: ({ id }) => [`/issues/${id}/status`, `/issues/${id}/assignee`, `/issues/${id}/sprint`],
});

const setDueDate = template('set-due-date', {
  about: 'Give an issue a due date and another type.',
  split: 'test-2',
  sample(state, random) {
    const issue = pickIssue(state, random, isOpen);
    if (issue === null) return null;
    const type = random.pick(issueTypes.filter(known => known !== issue.type));
    return { id: issue.id, title: issue.title, type, due: random.pick(dueDays) };
  },
  setup(draft, { id }) {
    need(draft.issues, id, 'issue').due = null;
  },
  instruction: ({ title, type, due }, random) =>
    random.pick([
      `"${title}" has to be finished by ${due}. Enter that as its due date, and change its type to ${type}.`,
      `Due date of "${title}": ${due}. And it is really a ${type}, so correct the type as well.`,
      `Please make "${title}" a ${type} and set the due date to ${due}.`,
    ]),
  checks: ({ id, type, due }) => [
    { ...issueCheck(`it is due on ${due}`, id, issue => issue.due === due), id: 'due' },
    { ...issueCheck(`it is a ${type}`, id, issue => issue.type === type), id: 'type' },
  ],
  allow: ({ id }) => [`/issues/${id}/due`, `/issues/${id}/type`],
});

const swapLabels = template('swap-labels', {
  about: 'Take a label off an issue and put another one on.',
  split: 'test-2',
  sample(state, random) {
    const { id, title, project } = random.pick(state.issues.filter(isOpen));
    const own = state.labels.filter(label => label.project === project);
    const [off, on] = random.sample(own, 2);
    if (off === undefined || on === undefined) return null;
    return { id, title, off: { id: off.id, name: off.name }, on: { id: on.id, name: on.name } };
  },
  setup(draft, { id, off }) {
    need(draft.issues, id, 'issue').labels = [off.id];
  },
  instruction: ({ title, off, on }, random) =>
    random.pick([
      `"${title}" has the wrong label: take ${off.name} off and put ${on.name} on.`,
      `Change the labels of "${title}" from ${off.name} to ${on.name}.`,
      `On the issue "${title}", replace the label ${off.name} with ${on.name}.`,
    ]),
  checks: ({ id, on }) => [
    { ...issueCheck(`it has the label ${on.name}`, id, ({ labels }) => labels.includes(on.id)), id: 'has-label' },
    {
      ...issueCheck('it has no other label', id, ({ labels }) => labels.every(label => label === on.id)),
      id: 'no-other-label',
    },
  ],
  allow: ({ id }) => [`/issues/${id}/labels`],
});

const nextDeadline = template('next-deadline', {
  about: 'Tell which open issue of a project is due first.',
  split: 'test-2',
  sample(state, random) {
    const { id: project } = random.pick(state.projects);
    const [first, second] = issuesMatching(state, openOf(project), 'Due date');
    if (first === undefined || first.due === null || first.due === second?.due) return null;
    return { project, status: 'Open', sort: 'Due date' };
  },
  instruction: ({ project }, random) =>
    random.pick([
      `Which open ${project} issue is due first? Answer with its key.`,
      `Look at the open issues of ${project}: what is the key of the one with the earliest due date?`,
      `What is the next deadline in ${project}? I need the key of the open issue that is due soonest.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ project }, initial) => issuesMatching(initial, openOf(project), 'Due date')[0]?.id ?? '',
  shown({ ui }, { project }) {
    const wanted = openOf(project);
    const isNarrowed = Object.entries(ui.filter).every(
      ([field, value]) => wanted[field as keyof typeof wanted] === value,
    );
    return ui.screen === 'issues' && isNarrowed && ui.sort === 'Due date' && ui.page <= 1;
  },
});

const openOf = (project: string): Tracker['ui']['filter'] => ({ ...blankFilter, project, status: 'Open' });

const closeIssue = template('close-issue', {
  about: 'Set an issue to Done; in half of the tasks an open issue still blocks it.',
  split: 'test-2',
  kind: 'infeasible',
  sample(state, random) {
    const parents = new Set(state.issues.map(({ parent }) => parent));
    const issue = pickIssue(state, random, known => isOpen(known) && !parents.has(known.id));
    if (issue === null) return null;
    const { id, title, project } = issue;
    const blocker = pickIssue(
      state,
      random,
      known => known.project === project && known.id !== id && isOpen(known) && known.blockedBy.length === 0,
    );
    const [worker, other] = random.sample(teamOf(state, project), 2);
    if (blocker === null || worker === undefined || other === undefined) return null;
    return { id, title, blocker: blocker.id, worker: worker.id, other: other.id, isBlocked: random.chance(0.5) };
  },
  isTwin: ({ isBlocked }) => isBlocked === false,
  setup(draft, { id, blocker, worker, other, isBlocked }) {
    Object.assign(need(draft.issues, id, 'issue'), { status: 'In review', assignee: worker, blockedBy: [blocker] });
    const status = isBlocked ? 'In progress' : 'Done';
    Object.assign(need(draft.issues, blocker, 'issue'), { status, assignee: other });
  },
  instruction: ({ title }, random) =>
    random.pick([
      `"${title}" has passed the review. Move it to Done.`,
      `Please close "${title}": its status should be Done.`,
      `We are finished with "${title}". Mark it as Done and change nothing else.`,
    ]),
  checks: ({ id }) => [issueCheck('its status is Done', id, issue => issue.status === 'Done')],
  allow: ({ id }) => [`/issues/${id}/status`],
  shown: ({ ui }, { id }) => ui.screen === 'issue' && ui.issue === id,
});

export const trackerIssueTemplates = [reportAndComment, putOnHold, setDueDate, swapLabels, nextDeadline, closeIssue];
