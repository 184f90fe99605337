// An amateur volleyball league: fixtures, squads, and a guided form that reports results.
import { appKit, button, combobox, defineApp, find, form, heading, link, list, listItem, menu } from 'espalier';
import { menuItem, need, page, radio, refuse, region, text, z } from 'espalier';

const str = z.string();
const halls = ['North hall', 'Old gym', 'Arena', 'School hall'];
const match = z.object({ id: str, home: str, away: str, hall: z.enum(halls), score: str });
const player = z.object({ id: str, name: str, team: str, spikes: z.int(), captain: z.boolean() });
const state = z.object({
  matches: z.array(match),
  players: z.array(player),
  teams: z.array(z.object({ id: str, coach: str, colour: str })),
  ui: z.object({ at: str, open: str, step: z.int(), ours: str, theirs: str }),
});
type League = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const report = command('report_result', {
  about: 'Report the sets that both sides won in a match.',
  input: z.object({ id: str, home: str, away: str }),
  run(draft, { id, home, away }) {
    if (home === '' || away === '') refuse('Both sides need a number of sets.');
    need(draft.matches, id, 'match').score = `${home}:${away}`;
    Object.assign(draft.ui, { step: 0, ours: '', theirs: '' });
  },
});
const relocate = command('move_match', {
  about: 'Play a match in another hall.',
  input: z.object({ id: str, value: z.enum(halls) }),
  run: (draft, { id, value }) => void (need(draft.matches, id, 'match').hall = value),
});
const transfer = command('transfer_player', {
  about: 'Transfer a player to another team.',
  input: z.object({ id: str, value: str }),
  run(draft, { id, value }) {
    need(draft.teams, value, 'team');
    need(draft.players, id, 'player').team = value;
  },
});
const lead = command('toggle_captain', {
  about: 'Give a player the armband of the captain, or take it.',
  input: z.object({ id: str }),
  run: (draft, { id }) => void (need(draft.players, id, 'player').captain = !find(draft.players, id)?.captain),
});
const read = query('read_league', { about: 'Read everything.', input: z.object({}), run: ({ ui: _, ...all }) => all });
const go = gesture('go', {
  about: 'Open a part of the league, or a step of the report.',
  input: z.object({ at: str, open: str, step: z.int() }),
  run: (draft, input) => void Object.assign(draft.ui, input),
});
const count = gesture('count_sets', {
  about: 'Choose a number of sets.',
  input: z.object({ side: z.enum(['ours', 'theirs']), sets: str }),
  run: (draft, { side, sets }) => void (draft.ui[side] = sets),
});

const fixtures = ({ matches }: League) => [
  heading('Round 7'),
  list(
    'Matches',
    matches.map(({ id, home, away, score }) =>
      listItem(score === '' ? 'not played' : `ended ${score}`, [
        link(`${home} vs ${away}`, go.with({ at: 'match', open: id, step: 0 })),
      ]),
    ),
  ),
];
const oneMatch = ({ ui }: League, { id, home, away, hall, score }: League['matches'][number]) => {
  const { step, ours, theirs } = ui;
  const sets = (side: 'ours' | 'theirs', chosen: string) =>
    ['0', '1', '2', '3'].map(one => radio(`${one} sets`, one === chosen, count.with({ side, sets: one })));
  if (step > 0)
    return [
      text(`Step ${step} of 3`),
      step === 1 && form(`How many sets did ${home} win?`, sets('ours', ours)),
      step === 2 && form(`How many sets did ${away} win?`, sets('theirs', theirs)),
      step === 3 && text(`${home} ${ours || '?'} : ${theirs || '?'} ${away}`),
      step < 3 && button('Continue', go.with({ at: 'match', open: id, step: step + 1 })),
      step === 3 && button('Send to the league', report.with({ id, home: ours, away: theirs })),
      button('Abandon', go.with({ at: 'match', open: id, step: 0 })),
    ];
  return [
    heading(`${home} vs ${away}`),
    text(score === '' ? 'No result yet' : `Result ${score}`),
    combobox('Played in', hall, { enter: relocate.entering({ id }), options: halls }),
    button('Report the result', go.with({ at: 'match', open: id, step: 1 })),
  ];
};
const clubs = ({ teams }: League) =>
  teams.map(({ id }) => region(id, [button(`Squad of ${id}`, go.with({ at: 'squad', open: id, step: 0 }))]));
const squad = ({ players, teams }: League, { id, coach, colour }: League['teams'][number]) => [
  heading(id),
  text(`Coach ${coach}, shirts ${colour}`),
  ...players
    .filter(({ team }) => team === id)
    .map(one =>
      region(`${one.name}, ${one.spikes} spikes${one.captain ? ', captain' : ''}`, [
        button(`${one.captain ? 'Take armband from' : 'Armband for'} ${one.name}`, lead.with({ id: one.id })),
        combobox(`Team of ${one.name}`, id, {
          enter: transfer.entering({ id: one.id }),
          options: teams.map(team => team.id),
        }),
      ]),
    ),
];

const clubNames = 'Harriers,Blockbusters,Night Owls,Red Kites,Setters,Tidal,Granite,Foxes,Lanterns,Comets'.split(',');
const given = 'Aino,Bruno,Celia,Dragan,Elif,Fiona,Gael,Hana,Igor,Jules,Katya,Leon,Maren,Nils,Oona,Pavel,Rosa'.split(
  ',',
);
const family = 'Archer,Bauer,Cohen,Diaz,Evans,Fischer,Gallo,Hart,Ivanov,Keller,Lopez,Moreau,Nash,Olsen'.split(',');
const train = (about: string) => ({ about, split: 'train' as const });
const looksOnly = { checks: () => [], allow: () => [] };
const say =
  (ways: string) =>
  <P extends { way: number }>(given: P) => {
    const all = ways.trim().split(/\n| \| /);
    const line = all[given.way % all.length] ?? '';
    return line.trim().replace(/\{(\w+)\}/g, (_, key: string) => String(Reflect.get(given, key)));
  };

const result = template('report-result', {
  ...train('Report the result of a match.'),
  sample({ matches }, random) {
    const { id, home, away } = random.pick(matches);
    const [ours, theirs] = random.chance(0.5) ? [3, random.between(0, 2)] : [random.between(0, 2), 3];
    return { id, home, away, ours: String(ours), theirs: String(theirs), way: random.between(0, 5) };
  },
  setup: (draft, { id }) => void (need(draft.matches, id, 'match').score = ''),
  instruction: say(`Enter that {home} against {away} finished with {ours} sets to {theirs}.
    Just came out of the hall. {home} took {ours} sets and {away} {theirs}. Can you send that to the league?
    What a night! {ours} to {theirs} in sets in the game of {home} against {away}. Make it official.
    The league is waiting for our result: {ours} sets for {home}, {theirs} for {away}.
    {home} vs {away} ended {ours}:{theirs}, please report it. | result {home} - {away}: {ours} - {theirs}`),
  checks: ({ id, ours, theirs }) => [
    { name: 'the result is right', test: s => find(s.matches, id)?.score === `${ours}:${theirs}` },
  ],
  allow: ({ id }) => [`/matches/${id}/score`],
});
const otherHall = template('other-hall', {
  ...train('Play a match in another hall.'),
  sample({ matches }, random) {
    const { id, home, away, hall } = random.pick(matches);
    return { id, home, away, to: random.pick(halls.filter(one => one !== hall)), way: random.between(0, 5) };
  },
  instruction: say(`We got the {to} for the match {home} vs {away}! Put it in.
    Could the game between {home} and {away} take place in the {to}? Then update it, thanks. | {home} - {away}: {to}
    The roof leaks, so {home} against {away} has to be played in the {to} instead.
    Please change where {home} and {away} play, it's the {to} now. | {home} vs {away} is now in the {to}.`),
  checks: ({ id, to }) => [{ name: `it is in the ${to}`, test: s => find(s.matches, id)?.hall === to }],
  allow: ({ id }) => [`/matches/${id}/hall`],
});
const armband = template('armband-for-best', {
  ...train('Make the player of a team with the most spikes a captain.'),
  sample({ players, teams }, random) {
    const team = random.pick(teams).id;
    const [best, next] = players.filter(one => one.team === team).sort((a, b) => b.spikes - a.spikes);
    return best && best.spikes !== next?.spikes ? { id: best.id, team, way: random.between(0, 5) } : null;
  },
  setup(draft, { team }) {
    for (const one of draft.players) if (one.team === team) one.captain = false;
  },
  instruction: say(`Make whoever has the most spikes at {team} their captain.
    Please find the player of {team} with the highest number of spikes and hand over the armband.
    In the squad of {team} somebody leads in spikes. That person should be captain now.
    The coach of {team} decided that the best spiker becomes captain, can you do that?
    {team} need a captain. Give the armband to the player with the most spikes. | armband {team} -> most spikes`),
  checks: ({ id }) => [{ name: 'the best is captain', test: s => find(s.players, id)?.captain === true }],
  allow: ({ id }) => [`/players/${id}/captain`],
});
const coachOf = template('coach-of-team', {
  ...train('Say who coaches a team.'),
  sample: ({ teams }, random) => ({ ...random.pick(teams), way: random.between(0, 5) }),
  instruction: say(`We play {id} next and I forgot who their coach is.
    Before the match I'd like to greet the coach of {id} by name. Who is it? | Who coaches {id}? | coach of {id}?
    I have to write to the coach of {id}. What is the name? | Can you look up the coach of {id} for me? Name only.`),
  ...looksOnly,
  answer: ({ coach }) => coach,
  shown: ({ ui }, { id }) => ui.at === 'squad' && ui.open === id,
});

export const app = defineApp({
  id: 'league-night',
  title: 'League night',
  about: 'Matches, squads and results of a volleyball league.',
  state,
  init(random) {
    const names = random.sample(clubNames, 8);
    const people = random.sample(
      given.flatMap(one => family.map(other => `${one} ${other}`)),
      40,
    );
    return {
      matches: random
        .sample(
          names.flatMap(home => names.filter(one => one !== home).map(away => ({ home, away }))),
          8,
        )
        .map(({ home, away }, index) => ({ id: `m${index + 1}`, home, away, hall: random.pick(halls), score: '' })),
      players: people.slice(8).map((name, index) => ({
        id: `p${index + 1}`,
        name,
        team: names[index % 8] ?? '',
        spikes: random.between(0, 60),
        captain: index < 8,
      })),
      teams: names.map((id, index) => ({
        id,
        coach: people[index] ?? '',
        colour: random.pick(['red', 'navy', 'white']),
      })),
      ui: { at: 'matches', open: '', step: 0, ours: '', theirs: '' },
    };
  },
  commands: [report, relocate, transfer, lead, read, go, count],
  view(league) {
    const { at, open } = league.ui;
    const [shown, team] = [find(league.matches, open), find(league.teams, open)];
    return page('Volleyball, second division', [
      menu('League', [
        menuItem('Fixtures', go.with({ at: 'matches', open: '', step: 0 })),
        menuItem('Clubs', go.with({ at: 'clubs', open: '', step: 0 })),
      ]),
      ...(shown
        ? oneMatch(league, shown)
        : team
          ? squad(league, team)
          : at === 'clubs'
            ? clubs(league)
            : fixtures(league)),
    ]);
  },
  templates: [result, otherHall, armband, coachOf],
});
