// A podcast player: shows one follows, their episodes, a queue to listen to and settings for each show.
import { appKit, button, checkbox, combobox, defineApp, find, heading, link, list, listItem } from 'espalier';
import { navigation, need, page, refuse, region, searchBox, status, tab, text, textbox, z } from 'espalier';

const str = z.string();
const speeds = ['0.8x', '1x', '1.2x', '1.5x', '2x'];
const show = z.object({ id: str, host: str, speed: z.enum(speeds), alerts: z.boolean() });
const episode = z.object({ id: str, name: str, show: str, minutes: z.int(), saved: z.boolean() });
const state = z.object({
  shows: z.array(show),
  episodes: z.array(episode),
  queue: z.array(z.object({ id: str })),
  ui: z.object({ tab: str, open: str, search: str, toast: str }),
});
type Player = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const byId = z.object({ id: str });

const enqueue = command('queue_episode', {
  about: 'Put an episode at the end of the queue.',
  input: byId,
  run(draft, { id }) {
    if (find(draft.queue, need(draft.episodes, id, 'episode').id)) refuse('It is in the queue.');
    draft.queue.push({ id });
    draft.ui.toast = 'Queued';
  },
});
const unqueue = command('unqueue_episode', {
  about: 'Take an episode out of the queue.',
  input: byId,
  run(draft, { id }) {
    need(draft.queue, id, 'queued episode');
    draft.queue = draft.queue.filter(one => one.id !== id);
    draft.ui.toast = 'Out of the queue';
  },
});
const save = command('toggle_download', {
  about: 'Download an episode, or delete the download.',
  input: byId,
  run: (draft, { id }) => void (need(draft.episodes, id, 'episode').saved = !find(draft.episodes, id)?.saved),
});
const pace = command('set_speed', {
  about: 'Set how fast a show is played.',
  input: z.object({ id: str, value: z.enum(speeds) }),
  run: (draft, { id, value }) => void (need(draft.shows, id, 'show').speed = value),
});
const ring = command('toggle_alerts', {
  about: 'Turn alerts about new episodes of a show on or off.',
  input: byId,
  run: (draft, { id }) => void (need(draft.shows, id, 'show').alerts = !find(draft.shows, id)?.alerts),
});
const shelf = query('list_shelf', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const visit = gesture('visit', {
  about: 'Visit a tab or a show.',
  input: z.object({ tab: str, open: str }),
  run: (draft, input) => void Object.assign(draft.ui, { ...input, toast: '' }),
});
const search = gesture('search', {
  about: 'Search episodes.',
  input: z.object({ value: z.string().max(60) }),
  run: (draft, { value }) => void (draft.ui.search = value),
});

const following = ({ shows }: Player) => [
  list(
    'You follow',
    shows.map(({ id }) => link(id, visit.with({ tab: 'Following', open: id }))),
  ),
];
const oneShow = ({ episodes }: Player, { id, host, speed, alerts }: Player['shows'][number]) => [
  heading(id),
  text(`hosted by ${host}`),
  combobox('Playback speed', speed, { enter: pace.entering({ id }), options: speeds }),
  checkbox('Tell me about new episodes', alerts, ring.with({ id })),
  region(
    'Episodes',
    episodes
      .filter(one => one.show === id)
      .map(one =>
        listItem(`${one.name} · ${one.minutes} min`, [
          button(`${one.saved ? 'Delete download of' : 'Download'} ${one.name}`, save.with({ id: one.id })),
        ]),
      ),
  ),
];
const discover = ({ episodes, ui }: Player) => [
  searchBox('Search', [textbox('Search episodes', ui.search, { enter: search.entering({}) })]),
  list(
    'Results',
    episodes
      .filter(({ name }) => ui.search !== '' && name.toLowerCase().includes(ui.search.toLowerCase()))
      .map(({ id, name, show: of }) =>
        listItem(`${name} (${of})`, [button(`Play ${name} later`, enqueue.with({ id }))]),
      ),
  ),
];
const upNext = ({ queue, episodes }: Player) => [
  heading(`${queue.length} episodes up next`),
  ...queue.map(({ id }, index) => {
    const { name, minutes } = need(episodes, id, 'episode');
    return region(`${index + 1}. ${name}, ${minutes} min`, [button(`Drop ${name}`, unqueue.with({ id }))]);
  }),
];

const titles = 'Slow Rivers,Byte Sized,The Attic,Night Shift,Small Talk,Deep Field,Crumbs,Offside,Second Act'.split(
  ',',
);
const hosts = 'Ada Quinn,Ben Osei,Carmen Ruiz,Dev Patel,Eva Lindt,Finn Moss,Gia Rossi,Hal Young,Ida Brandt'.split(',');
const topics = 'volcanoes,chess,bread,glaciers,typewriters,owls,tunnels,perfume,maps,salt,lightning,puppets,moss'.split(
  ',',
);
const angles = ['A history of', 'The truth about', 'Falling for', 'Who invented', 'A life with'];
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const later = template('play-later', {
  ...train('Search an episode and queue it.'),
  sample({ episodes, queue }, random) {
    const { id, name } = random.pick(episodes.filter(one => !find(queue, one.id)));
    return { id, name, way: random.between(0, 5) };
  },
  instruction: say(`I want to listen to "{name}" on the train, so put it in the queue. | Queue "{name}".
    Somebody recommended "{name}". Search for it and have it played after the rest, please. | play later: "{name}"
    "{name}" should come up next at some point, it isn't in the queue yet. | Could you find "{name}" and line it up?`),
  checks: ({ id }) => [
    {
      name: 'it alone was queued, at the end',
      test: (s, old) => s.queue.at(-1)?.id === id && s.queue.length === old.queue.length + 1,
    },
  ],
  allow: () => ['/queue/+'],
});
const tooLong = template('drop-longest', {
  ...train('Take the longest or shortest episode out of the queue.'),
  sample({ episodes, queue }, random) {
    const which = random.pick(['longest', 'shortest']);
    const sign = which === 'longest' ? -1 : 1;
    const queued = queue.map(({ id }) => need(episodes, id, 'episode'));
    const [first, next] = queued.sort((a, b) => sign * (a.minutes - b.minutes));
    return first && first.minutes !== next?.minutes ? { id: first.id, which, way: random.between(0, 5) } : null;
  },
  instruction: say(`Which queued episode is the {which}? I don't want to hear it any more.
    Of everything in the queue I like the {which} episode least, out with it. | queue: remove the {which}
    My walk has changed. Please take the {which} one out of what is up next.
    Would you look at my queue and throw out the {which} episode? | Drop the {which} episode from the queue.`),
  checks: ({ id }) => [{ name: 'it is out of the queue', test: s => find(s.queue, id) === undefined }],
  allow: ({ id }) => [`/queue/${id}`],
});
const faster = template('speed-and-alerts', {
  ...train('Set the speed of a show and turn its alerts on.'),
  sample({ shows }, random) {
    const { id, speed } = random.pick(shows);
    return { id, speed: random.pick(speeds.filter(one => one !== speed)), way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.shows, id, 'show').alerts = false),
  instruction: say(`Please set {id} to {speed} and switch on its new episode alerts.
    I love {id} but the pace is wrong, {speed} would be right. And I never hear about new episodes, turn that on too.
    Two things about {id}: it should run at {speed}, and I want to be told about new episodes.
    For {id} I'd like {speed} as the speed, plus notifications about new episodes. | {id}: speed {speed}, alerts on.
    Play {id} at {speed} from now on and tell me when there are new episodes.`),
  checks: ({ id, speed }) => [
    { name: `the speed is ${speed}`, test: s => find(s.shows, id)?.speed === speed },
    { name: 'alerts are on', test: s => find(s.shows, id)?.alerts === true },
  ],
  allow: ({ id }) => [`/shows/${id}/speed`, `/shows/${id}/alerts`],
});
const offline = template('download-episode', {
  ...train('Download an episode of a show.'),
  sample: ({ episodes }, random) => ({ ...random.pick(episodes), way: random.between(0, 5) }),
  setup: (draft, { id }) => void (need(draft.episodes, id, 'episode').saved = false),
  instruction: say(`I want the {show} episode "{name}" on my phone.
    No internet on the plane tomorrow, so please get me {show}'s "{name}" offline. | Download "{name}" from {show}.
    Can you save "{name}" for offline listening? It's one of {show}. | {show} / "{name}" / download
    Make sure that "{name}" by {show} is downloaded before I leave.`),
  checks: ({ id }) => [{ name: 'it is downloaded', test: s => find(s.episodes, id)?.saved === true }],
  allow: ({ id }) => [`/episodes/${id}/saved`],
});

export const app = defineApp({
  id: 'podcast-player',
  title: 'Podcast player',
  about: 'Shows, episodes and a queue of podcasts.',
  state,
  init(random) {
    const names = random.sample(
      angles.flatMap(one => topics.map(other => `${one} ${other}`)),
      27,
    );
    const episodes = names.map((name, index) => ({
      id: `e${index + 1}`,
      name,
      show: titles[index % 9] ?? '',
      minutes: random.between(9, 120),
      saved: random.chance(0.2),
    }));
    return {
      shows: random.shuffle(titles).map((id, index) => ({
        id,
        host: hosts[(index * 4) % 9] ?? '',
        speed: random.pick(speeds),
        alerts: random.chance(0.5),
      })),
      episodes,
      queue: random.sample(episodes, 11).map(({ id }) => ({ id })),
      ui: { tab: 'Following', open: '', search: '', toast: '' },
    };
  },
  commands: [enqueue, unqueue, save, pace, ring, shelf, visit, search],
  view(player) {
    const { tab: at, open, toast } = player.ui;
    const opened = find(player.shows, open);
    const tabs = ['Following', 'Up next', 'Search'];
    return page('Earful', [
      ...(opened
        ? oneShow(player, opened)
        : at === 'Following'
          ? following(player)
          : at === 'Search'
            ? discover(player)
            : upNext(player)),
      toast !== '' && status(toast),
      navigation(
        'Tabs',
        tabs.map(one => tab(one, visit.with({ tab: one, open: '' }), one === at ? ['selected'] : [])),
      ),
    ]);
  },
  templates: [later, tooLong, faster, offline],
});
