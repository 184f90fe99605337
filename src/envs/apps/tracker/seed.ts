import type { Random } from '../../../core/random.ts';
import {
  anything,
  blankFilter,
  blankForm,
  priorities,
  scaleNames,
  scales,
  settingChoices,
  type Issue,
  type IssueType,
  type SavedFilter,
  type Sprint,
  type Tracker,
} from './state.ts';
import {
  createdDays,
  descriptions,
  dueDays,
  filterNames,
  people,
  projectWords,
  remarkDays,
  remarks,
  roles,
} from './words.ts';
import { isOpen, pointsOf } from './workflow.ts';

type Place = 'past' | 'now' | 'next' | 'later' | 'none';
type Words = (typeof projectWords)[number];
type Team = Pick<Tracker, 'projects' | 'members' | 'sprints' | 'labels'>;

const issuesPerProject = 29;
const commentCount = 30;
/** How many issues of a project go where; the rest is the backlog. */
const shares: readonly (readonly [Place, number])[] = [
  ['past', 6],
  ['now', 8],
  ['next', 4],
  ['later', 3],
];
const mix = {
  now: ['Todo', 'Todo', 'In progress', 'In progress', 'In review', 'Done', 'Done'],
  none: ['Backlog', 'Backlog', 'Backlog', 'Todo', 'Cancelled'],
} as const;

export function seedTracker(random: Random): Tracker {
  const members = seedMembers(random);
  const team: Team = { members, projects: seedProjects(random, members), sprints: seedSprints(random), labels: [] };
  for (const { id, labels } of projectWords) {
    for (const name of labels) team.labels.push({ id: `l${team.labels.length + 1}`, project: id, name });
  }
  const issues = seedIssues(random, team);
  for (const sprint of team.sprints) sprint.capacity = pointsOf(issues, sprint.id).points + random.between(1, 14);
  return {
    today: '2026-03-16',
    me: 'm1',
    issues,
    ...team,
    comments: seedComments(random, { issues, members }),
    filters: seedFilters(team),
    settings: seedSettings(random),
    ui: {
      screen: 'issues',
      issue: '',
      sprint: '',
      project: random.pick(projectWords).id,
      filter: blankFilter,
      sort: 'Newest first',
      page: 1,
      selected: [],
      panel: 'none',
      target: '',
      form: blankForm,
      notice: '',
    },
  };
}

function seedMembers(random: Random): Tracker['members'] {
  const keys = projectWords.map(({ id }) => id);
  return random.sample(people, 12).map((name, index) => ({
    id: `m${index + 1}`,
    name,
    role: random.pick(roles),
    projects: index < 2 ? keys : keys.filter((_, at) => at === index % 3 || (index > 8 && at === (index + 1) % 3)),
  }));
}

function seedProjects(random: Random, members: Tracker['members']): Tracker['projects'] {
  return projectWords.map(({ id, name }) => {
    const team = members.filter(member => member.projects.includes(id));
    return { id, name, defaultAssignee: random.pick(team).id, scale: random.pick(scaleNames) };
  });
}

/** Four sprints a project; in one of the projects none is active. */
function seedSprints(random: Random): Sprint[] {
  const idle = random.pick(projectWords).id;
  const spans = [
    ['2026-02-16', '2026-02-27'],
    ['2026-03-09', '2026-03-20'],
    ['2026-03-23', '2026-04-03'],
    ['2026-04-06', '2026-04-17'],
  ] as const;
  return projectWords.flatMap(({ id, sprint, goals }, at) => {
    const first = random.between(11, 60);
    return spans.map(([start, end], index): Sprint => {
      const status = index > 1 ? 'Planned' : index === 1 && id !== idle ? 'Active' : 'Completed';
      const name = `${sprint} ${first + index}`;
      return {
        id: `s${at * 4 + index + 1}`,
        project: id,
        name,
        goal: random.pick(goals),
        status,
        start,
        end,
        capacity: 1,
      };
    });
  });
}

function seedIssues(random: Random, team: Team): Issue[] {
  const days = random.sample(createdDays, issuesPerProject).toSorted();
  const perProject = projectWords.map(words => projectIssues(random, { words, team, days }));
  return days.flatMap((_, index) => perProject.flatMap(issues => issues[index] ?? []));
}

interface ProjectSeed {
  readonly words: Words;
  readonly team: Team;
  readonly days: readonly string[];
}

function projectIssues(random: Random, { words, team, days }: ProjectSeed): Issue[] {
  const types = Object.entries(words.titles) as [IssueType, readonly string[]][];
  const titles = types.flatMap(([type, list]) => list.map(title => ({ type, title })));
  const first = random.between(12, 180);
  const places = shares.flatMap(([place, count]) => Array.from({ length: count }, () => place));
  while (places.length < issuesPerProject) places.push('none');
  const shuffled = random.shuffle(places);
  const issues = random.sample(titles, issuesPerProject).map((subject, index) => {
    const place = shuffled[index] as Place;
    const created = days[index] as string;
    const { type, title } = subject;
    return makeIssue(random, {
      type,
      title,
      id: `${words.id}-${first + index}`,
      place,
      created,
      project: words.id,
      team,
    });
  });
  linkIssues(random, issues);
  return issues;
}

interface IssueSeed {
  readonly id: string;
  readonly type: IssueType;
  readonly title: string;
  readonly place: Place;
  readonly created: string;
  readonly project: string;
  readonly team: Team;
}

function makeIssue(random: Random, { id, type, title, place, created, project, team }: IssueSeed): Issue {
  const members = team.members.filter(member => member.projects.includes(project));
  const sprint = sprintAt(team.sprints, project, place);
  const status = statusAt(random, place, sprint);
  const begun = status === 'In progress' || status === 'In review' || status === 'Done';
  const scale = team.projects.find(known => known.id === project)?.scale ?? 'Fibonacci';
  const labels = team.labels.filter(label => label.project === project);
  return {
    id,
    project,
    title,
    description: random.pick(descriptions),
    type,
    status,
    priority: random.pick([...priorities, 'Medium', 'Low']),
    assignee: begun || random.chance(0.7) ? random.pick(members).id : null,
    reporter: random.pick(members).id,
    labels: random.sample(labels, random.between(0, 2)).map(label => label.id),
    points: begun || place !== 'none' || random.chance(0.4) ? Number(random.pick(scales[scale].slice(0, 5))) : null,
    due: status !== 'Done' && random.chance(0.3) ? random.pick(dueDays) : null,
    sprint: sprint?.id ?? null,
    parent: null,
    blockedBy: [],
    created,
  };
}

function sprintAt(sprints: readonly Sprint[], project: string, place: Place): Sprint | null {
  const position = ['past', 'now', 'next', 'later'].indexOf(place);
  return sprints.filter(sprint => sprint.project === project)[position] ?? null;
}

function statusAt(random: Random, place: Place, sprint: Sprint | null): Issue['status'] {
  if (sprint === null) return random.pick(mix.none);
  if (sprint.status === 'Completed') return random.chance(0.85) ? 'Done' : 'Cancelled';
  return place === 'now' ? random.pick(mix.now) : 'Todo';
}

/** A few blockers and sub-issues, always pointing to older issues, so that there is no circle. */
function linkIssues(random: Random, issues: Issue[]): void {
  issues.forEach((issue, index) => {
    const older = issues.slice(0, index).filter(isOpen);
    if (older.length === 0 || !isOpen(issue)) return;
    if (random.chance(0.25)) issue.blockedBy.push(random.pick(older).id);
    const stories = older.filter(({ type, parent }) => type === 'Story' && parent === null);
    if (issue.type !== 'Story' && stories.length > 0 && random.chance(0.25)) issue.parent = random.pick(stories).id;
  });
}

function seedComments(random: Random, { issues, members }: Pick<Tracker, 'issues' | 'members'>): Tracker['comments'] {
  const days = Array.from({ length: commentCount }, () => random.pick(remarkDays)).toSorted();
  return days.map((date, index) => {
    const issue = random.pick(issues);
    const author = random.pick(members.filter(member => member.projects.includes(issue.project)));
    return { id: `c${index + 1}`, issue: issue.id, author: author.id, text: random.pick(remarks), date };
  });
}

function seedFilters({ labels }: Team): SavedFilter[] {
  const security = labels.find(({ name }) => name === 'security')?.id ?? '';
  const kept: readonly Partial<SavedFilter>[] = [
    { priority: 'Urgent', status: 'Open' },
    { assignee: 'none', sprint: 'none' },
    { status: 'In review' },
    { label: security },
  ];
  return filterNames.map((name, index) => Object.assign({ id: `f${index + 1}`, name }, anything, kept[index]));
}

function seedSettings(random: Random): Tracker['settings'] {
  return {
    theme: random.pick(settingChoices.theme),
    density: random.pick(settingChoices.density),
    startPage: random.pick(settingChoices.startPage),
    digest: random.pick(settingChoices.digest),
    weekStart: random.pick(settingChoices.weekStart),
    notifyAssigned: random.pick(settingChoices.notifyAssigned),
    notifyComments: random.pick(settingChoices.notifyComments),
    notifyStatus: random.pick(settingChoices.notifyStatus),
    notifyDue: random.pick(settingChoices.notifyDue),
    autoWatch: random.pick(settingChoices.autoWatch),
  };
}
