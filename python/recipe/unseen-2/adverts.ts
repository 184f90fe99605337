import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  link,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const campaign = z.object({
  id: z.string(),
  name: z.string(),
  client: z.string(),
  channel: z.string(),
  state: z.enum(['running', 'paused', 'archived']),
  cap: z.int(),
  until: z.string(),
});
const ad = z.object({
  id: z.string(),
  campaign: z.string(),
  headline: z.string(),
  target: z.string(),
  state: z.enum(['running', 'paused', 'in review', 'rejected']),
  views: z.int(),
  clicks: z.int(),
});
const state = z.object({
  campaigns: z.array(campaign),
  ads: z.array(ad),
  ui: z.object({
    client: z.string(),
    scope: z.enum(['current', 'archived']),
    sort: z.enum(['name', 'cap', 'until']),
    open: z.string().nullable(),
    editing: z.string(),
    ticked: z.array(z.string()),
    drafting: z.boolean(),
    headline: z.string(),
    target: z.string(),
    toast: z.string(),
  }),
});
type Ads = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const targets = ['home page', 'product page', 'sign-up page', 'store finder'];

const setCap = command('set_daily_cap', {
  about: 'Set what a campaign may spend in a day, in euros.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const euros = Number(value.replace('€', '').trim());
    if (!Number.isInteger(euros) || euros < 5) refuse('The daily cap is at least 5 euros, in whole euros.');
    need(draft.campaigns, id, 'campaign').cap = euros;
    Object.assign(draft.ui, { editing: '', toast: 'Cap updated' });
  },
});
const setEnd = command('set_end', {
  about: 'Set the last day of a campaign, as 2026-05-31.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^2026-\d\d-\d\d$/.test(value.trim())) refuse('Write the day like 2026-05-31.');
    need(draft.campaigns, id, 'campaign').until = value.trim();
    Object.assign(draft.ui, { editing: '', toast: 'End date updated' });
  },
});
const setState = command('set_campaign_state', {
  about: 'Start, pause or archive a campaign. What is archived is restored as paused first.',
  input: z.object({ id: z.string(), to: z.enum(['running', 'paused', 'archived']) }),
  run(draft, { id, to }) {
    const it = need(draft.campaigns, id, 'campaign');
    if (it.state === 'archived' && to === 'running') refuse('Restore the campaign first.');
    if (it.state === to) refuse(`The campaign is ${to} already.`);
    it.state = to;
    draft.ui.toast = `${it.name}: ${to}`;
  },
});
const setAds = command('set_state_of_ads', {
  about: 'Run or pause several ads.',
  input: z.object({ ids: z.array(z.string()).min(1, 'Tick some ads'), to: z.enum(['running', 'paused']) }),
  run(draft, { ids, to }) {
    for (const id of ids) {
      const it = need(draft.ads, id, 'ad');
      if (it.state === 'rejected' || it.state === 'in review') refuse(`“${it.headline}” is ${it.state}.`);
      it.state = to;
    }
    Object.assign(draft.ui, { ticked: [], toast: `${ids.length} changed` });
  },
});
const submit = command('submit_ad', {
  about: 'Hand in a new ad of a campaign for review.',
  input: z.object({
    campaign: z.string(),
    headline: z.string().trim().min(3, 'The headline is too short').max(40, 'The headline is too long'),
    target: z.string(),
  }),
  run(draft, { campaign: of, headline, target }) {
    if (!targets.includes(target)) refuse('Choose where the ad leads to.');
    need(draft.campaigns, of, 'campaign');
    const id = nextId(draft.ads, 'a');
    draft.ads.push({ id, campaign: of, headline, target, state: 'in review', views: 0, clicks: 0 });
    Object.assign(draft.ui, { drafting: false, headline: '', target: '', toast: 'Handed in for review' });
  },
});
const listAds = query('list_campaign', {
  about: 'Show a campaign and its ads, by the name of the campaign.',
  input: z.object({ name: z.string() }),
  run({ campaigns, ads }, { name }) {
    const it = campaigns.find(one => one.name === name) ?? refuse('There is no such campaign.');
    return { ...it, ads: ads.filter(one => one.campaign === it.id).map(one => ({ ...one })) };
  },
});

const narrow = gesture('narrow', {
  about: 'Show the campaigns of one client.',
  input: z.object({ value: z.string() }),
  run({ ui }, { value }) {
    ui.client = value;
  },
});
const scope = gesture('scope', {
  about: 'Show what is current or what is archived.',
  input: z.object({ to: z.enum(['current', 'archived']) }),
  run({ ui }, { to }) {
    Object.assign(ui, { scope: to, toast: '' });
  },
});
const sortBy = gesture('sort_by', {
  about: 'Sort the campaigns.',
  input: z.object({ by: z.enum(['name', 'cap', 'until']) }),
  run({ ui }, { by }) {
    ui.sort = by;
  },
});
const edit = gesture('edit_cell', {
  about: 'Edit a cell of the table.',
  input: z.object({ cell: z.string() }),
  run({ ui }, input) {
    Object.assign(ui, { editing: input.cell, toast: '' });
  },
});
const open = gesture('open_campaign', {
  about: 'Open a campaign, or go back to all.',
  input: z.object({ id: z.string().nullable() }),
  run({ ui }, { id }) {
    Object.assign(ui, { open: id, ticked: [], drafting: false, toast: '' });
  },
});
const tick = gesture('tick', {
  about: 'Tick or untick an ad.',
  input: z.object({ id: z.string() }),
  run({ ui }, { id }) {
    ui.ticked = ui.ticked.includes(id) ? ui.ticked.filter(it => it !== id) : [...ui.ticked, id];
  },
});
const draftAd = gesture('draft_ad', {
  about: 'Begin or drop the draft of an ad.',
  input: z.object({ on: z.boolean() }),
  run({ ui }, { on }) {
    Object.assign(ui, { drafting: on, headline: '', target: '', toast: '' });
  },
});
const compose = gesture('compose', {
  about: 'Fill in the draft of an ad.',
  input: z.object({ field: z.enum(['headline', 'target']), value: z.string().max(60) }),
  run({ ui }, { field, value }) {
    ui[field] = value;
  },
});

const clients = ['Fennel & Fir', 'Fennel Foods', 'Halden Shoes', 'Moss Optics', 'Tidewater Spa'];

function overview({ campaigns, ui }: Ads) {
  const fit = campaigns
    .filter(it => (it.state === 'archived') === (ui.scope === 'archived'))
    .filter(it => ui.client === 'All clients' || it.client === ui.client)
    .sort((a, b) => (ui.sort === 'cap' ? a.cap - b.cap : a[ui.sort].localeCompare(b[ui.sort])));
  return region('Campaigns', [
    toolbar('View', [
      combobox('Client', ui.client, { enter: narrow.entering({}), options: ['All clients', ...clients] }),
      ui.scope === 'current'
        ? button('Archive', scope.with({ to: 'archived' }))
        : button('Current campaigns', scope.with({ to: 'current' })),
      button('By name', sortBy.with({ by: 'name' }), ui.sort === 'name' ? ['selected'] : []),
      button('By cap', sortBy.with({ by: 'cap' }), ui.sort === 'cap' ? ['selected'] : []),
      button('By end', sortBy.with({ by: 'until' }), ui.sort === 'until' ? ['selected'] : []),
    ]),
    table(
      ui.scope === 'current' ? 'Current' : 'Archived',
      fit.map(it => {
        const { id, name } = it;
        return row(name, [
          link(name, open.with({ id })),
          cell(it.client),
          cell(it.channel),
          cell(it.state),
          ui.editing === `${id} cap`
            ? textbox(`Daily cap of ${name}`, `${it.cap}`, { enter: setCap.entering({ id }) })
            : button(`€ ${it.cap} a day`, edit.with({ cell: `${id} cap` })),
          ui.editing === `${id} until`
            ? textbox(`Last day of ${name}`, it.until, { enter: setEnd.entering({ id }) })
            : button(`until ${it.until}`, edit.with({ cell: `${id} until` })),
          it.state === 'archived' && button(`Restore ${name}`, setState.with({ id, to: 'paused' })),
        ]);
      }),
    ),
  ]);
}

function inside({ ads, ui }: Ads, it: Ads['campaigns'][number]) {
  const { id } = it;
  if (ui.drafting) {
    return form(`New ad for ${it.name}`, [
      textbox('Headline', ui.headline, { enter: compose.entering({ field: 'headline' }) }),
      combobox('Leads to', ui.target, { enter: compose.entering({ field: 'target' }), options: targets }),
      button('Hand in for review', submit.with({ campaign: id, headline: ui.headline, target: ui.target })),
      button('Drop draft', draftAd.with({ on: false })),
    ]);
  }
  return region(it.name, [
    navigation('Where', [link('All campaigns', open.with({ id: null }))]),
    text(`${it.client}, ${it.channel}, ${it.state}, € ${it.cap} a day until ${it.until}`),
    toolbar('Campaign', [
      it.state === 'running' && button('Pause campaign', setState.with({ id, to: 'paused' })),
      it.state === 'paused' && button('Run campaign', setState.with({ id, to: 'running' })),
      it.state !== 'archived' && button('Archive campaign', setState.with({ id, to: 'archived' })),
      it.state === 'archived' && button('Restore campaign', setState.with({ id, to: 'paused' })),
      button('Draft an ad', draftAd.with({ on: true })),
    ]),
    table(
      'Ads',
      ads
        .filter(one => one.campaign === id)
        .map(one =>
          row(one.headline, [
            checkbox(`Tick ${one.headline}`, ui.ticked.includes(one.id), tick.with({ id: one.id })),
            cell(one.headline),
            cell(one.state),
            cell(`${one.views} views`),
            cell(`${one.clicks} clicks`),
            cell(one.target),
          ]),
        ),
    ),
    ui.ticked.length > 0 &&
      toolbar(`${ui.ticked.length} ticked`, [
        button('Pause ticked', setAds.with({ ids: ui.ticked, to: 'paused' })),
        button('Run ticked', setAds.with({ ids: ui.ticked, to: 'running' })),
      ]),
  ]);
}

const seasons = [
  'Spring launch',
  'Spring sale',
  'Brand always-on',
  'Retargeting',
  'Students',
  'Gift cards',
  'App installs',
  'Newcomers',
];
const lines = [
  'Feel the difference',
  'Half price till Sunday',
  'Made to last',
  'Made for you',
  'Try it at home',
  'Only this week',
  'Free returns',
  'New colours are here',
  'Your first one is on us',
  'See it in store',
  'Softer than ever',
  'Last pairs',
];
const newLines = [
  'Bring a friend, save both',
  'The quiet favourite',
  'Ready for the weekend',
  'Now in your town',
  'Ask us anything',
  'Wear it all day',
];

const cap = template('daily-cap', {
  about: 'Change the daily cap of a campaign.',
  split: 'test',
  sample({ campaigns }, random) {
    const it = random.pick(campaigns.filter(one => one.state !== 'archived'));
    return { id: it.id, name: it.name, value: `${random.pick([18, 22, 37, 42, 58, 66, 93])}` };
  },
  instruction: ({ name, value }, random) =>
    random.pick([
      `Set the daily cap of "${name}" to ${value} euros.`,
      `The client wants "${name}" to spend ${value} € a day at the most.`,
      `${name}: cap ${value} / day`,
    ]),
  checks: ({ id, name, value }) => [
    { name: `${name} has the cap`, test: final => find(final.campaigns, id)?.cap === Number(value) },
  ],
  allow: ({ id }) => [`/campaigns/${id}/cap`],
});

const extend = template('extend', {
  about: 'Let a campaign run until another day.',
  split: 'test',
  sample({ campaigns }, random) {
    const it = random.pick(campaigns.filter(one => one.state !== 'archived'));
    return { id: it.id, name: it.name, value: `2026-${random.pick(['07', '08', '09'])}-${random.between(10, 30)}` };
  },
  instruction: ({ name, value }, random) =>
    random.pick([
      `"${name}" should run until ${value}.`,
      `Extend ${name}. The last day is ${value} now.`,
      `We got more money for "${name}", so it goes on: new end ${value}.`,
    ]),
  checks: ({ id, name, value }) => [
    { name: `${name} ends then`, test: final => find(final.campaigns, id)?.until === value },
  ],
  allow: ({ id }) => [`/campaigns/${id}/until`],
});

const pauseSlow = template('pause-slow-ads', {
  about: 'Pause the running ads of a campaign with fewer clicks than a limit.',
  split: 'test',
  sample({ campaigns, ads }, random) {
    const slow = (of: string) => ads.filter(it => it.campaign === of && it.state === 'running' && it.clicks < 100);
    const fit = campaigns.filter(it => it.state !== 'archived' && [2, 3].includes(slow(it.id).length));
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { name, ids: slow(id).map(it => it.id) };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `In "${name}", pause all running ads with fewer than 100 clicks.`,
      `Some ads of ${name} hardly get clicked. Pause those that run and have less than 100 clicks.`,
      `${name}: running + under 100 clicks -> pause`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `ad ${id} is paused`, test: final => find(final.ads, id)?.state === 'paused' })),
  allow: ({ ids }) => ids.map(id => `/ads/${id}/state`),
});

const handIn = template('hand-in-ad', {
  about: 'Hand in a new ad.',
  split: 'test',
  sample({ campaigns }, random) {
    const { id, name } = random.pick(campaigns.filter(one => one.state !== 'archived'));
    return { id, name, headline: random.pick(newLines), target: random.pick(targets) };
  },
  instruction: ({ name, headline, target }, random) =>
    random.pick([
      `Hand in a new ad for "${name}": headline "${headline}", leading to the ${target}.`,
      `${name} needs one more ad. "${headline}" is the headline and people should land on the ${target}. Send it to review.`,
      `New ad in ${name}, pointing at the ${target}, saying "${headline}".`,
    ]),
  checks: ({ id, headline, target }) => [
    {
      name: 'one ad was handed in, as said',
      test(final, initial) {
        const [it, ...more] = added(initial.ads, final.ads);
        if (it === undefined || more.length > 0) return false;
        return it.campaign === id && it.headline === headline && it.target === target && it.state === 'in review';
      },
    },
  ],
  allow: () => ['/ads/+'],
});

const bestAd = template('most-clicked', {
  about: 'Tell the headline of a campaign that is clicked most.',
  split: 'test',
  sample({ campaigns, ads }, random) {
    const fit = campaigns.filter(it => {
      const [first, second] = ads
        .filter(one => one.campaign === it.id)
        .map(one => one.clicks)
        .sort((a, b) => b - a);
      return it.state !== 'archived' && first !== second;
    });
    if (fit.length === 0) return null;
    const { id, name } = random.pick(fit);
    return { id, name };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `Which headline in "${name}" has got the most clicks?`,
      `For the client report: the ad of ${name} with the most clicks, its headline please.`,
      `What is the most clicked headline of ${name}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { ads }) =>
    ads.filter(one => one.campaign === id).sort((a, b) => b.clicks - a.clicks)[0]?.headline ?? '',
  shown: ({ ui }, { id }) => ui.open === id && !ui.drafting,
});

const revive = template('revive', {
  about: 'Get a campaign out of the archive and run it.',
  split: 'test',
  sample({ campaigns }, random) {
    const { id, name } = random.pick(campaigns);
    return { id, name };
  },
  setup(draft, { id }) {
    need(draft.campaigns, id, 'campaign').state = 'archived';
  },
  instruction: ({ name }, random) =>
    random.pick([
      `"${name}" was archived too early. Get it running again.`,
      `Run the archived campaign "${name}" again.`,
      `The client changed their mind about ${name}. It is in the archive; it should be live again.`,
    ]),
  checks: ({ id, name }) => [
    { name: `${name} is out of the archive`, test: final => find(final.campaigns, id)?.state !== 'archived' },
    { name: `${name} is running`, test: final => find(final.campaigns, id)?.state === 'running' },
  ],
  allow: ({ id }) => [`/campaigns/${id}/state`],
});

export const app = defineApp({
  id: 'adverts',
  title: 'Campaign desk',
  about: 'An agency that runs advertising: campaigns of clients, their ads, caps and end dates.',
  state,
  init(random) {
    const campaigns = random
      .sample(
        clients.flatMap(client => seasons.map(season => ({ client, name: `${client} ${season}` }))),
        16,
      )
      .map((it, index) => ({
        id: `c${index + 1}`,
        ...it,
        channel: random.pick(['search', 'social', 'video', 'display']),
        state: random.pick(['running', 'running', 'paused', 'archived'] as const),
        cap: random.between(1, 12) * 10 + 5,
        until: `2026-0${random.between(3, 6)}-${random.between(10, 30)}`,
      }));
    const ads = campaigns
      .flatMap(({ id }) => random.sample(lines, 5).map(headline => ({ campaign: id, headline })))
      .map((it, index) => {
        const shown = random.pick(['running', 'running', 'running', 'paused', 'rejected'] as const);
        const views = random.between(900, 20000);
        return {
          id: `a${index + 1}`,
          ...it,
          target: random.pick(targets),
          state: shown,
          views,
          clicks: random.chance(0.5) ? random.between(3, 99) : random.between(100, 900),
        };
      });
    return {
      campaigns,
      ads,
      ui: {
        client: 'All clients',
        scope: 'current' as const,
        sort: 'name' as const,
        open: null,
        editing: '',
        ticked: [],
        drafting: false,
        headline: '',
        target: '',
        toast: '',
      },
    };
  },
  commands: [
    setCap,
    setEnd,
    setState,
    setAds,
    submit,
    listAds,
    narrow,
    scope,
    sortBy,
    edit,
    open,
    tick,
    draftAd,
    compose,
  ],
  view(all) {
    const it = find(all.campaigns, all.ui.open ?? '');
    return page('Campaign desk', [
      all.ui.toast !== '' && status(all.ui.toast),
      it === undefined ? overview(all) : inside(all, it),
    ]);
  },
  templates: [cap, extend, pauseSlow, handIn, bestAd, revive],
  onRefusal(draft, message) {
    draft.ui.toast = message;
  },
});
