// The settings of a phone: nested pages with switches, known networks, app permissions, and call blocking.
import { added, appKit, button, combobox, defineApp, dialog, find, heading, link, list, listItem } from 'espalier';
import { need, nextId, page, radio, refuse, remove, searchBox, status, switchButton, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  toggles: z.array(z.object({ id: s, name: s, group: s, on: z.boolean() })),
  networks: z.array(z.object({ id: s, name: s, lock: s })),
  apps: z.array(z.object({ id: s, name: s, storage: s, location: s })),
  calls: z.array(z.object({ id: s, number: s, when: s })),
  blocked: z.array(z.object({ id: s, number: s })),
  ui: z.object({ path: s, item: s, ask: z.boolean(), find: s, number: s, hint: s, seen: s, knew: s }),
});
type Phone = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const access = ['Never', 'While in use', 'Always'];

const flick = command('flick', {
  about: 'Turn a setting on or off.',
  input: z.object({ id: s }),
  run: ({ toggles }, { id }) => void (need(toggles, id, 'setting').on = !find(toggles, id)?.on),
});
const forget = command('forget_network', {
  about: 'Forget a known network.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.networks, need(draft.networks, id, 'network').id);
    Object.assign(draft.ui, { item: '', ask: false, hint: 'Network forgotten' });
  },
});
const permit = command('permit_location', {
  about: 'Say when an app may use the location.',
  input: z.object({ id: s, mode: z.enum(access as [string, ...string[]]) }),
  run: (draft, { id, mode }) => void (need(draft.apps, id, 'app').location = mode),
});
const block = command('block_number', {
  about: 'Block a phone number.',
  input: z.object({ number: s.trim().min(5, 'That is no phone number.') }),
  run(draft, { number }) {
    if (draft.blocked.some(item => item.number === number)) refuse('That number is blocked already.');
    draft.blocked.push({ id: nextId(draft.blocked, 'x'), number });
    Object.assign(draft.ui, { number: '', hint: 'Blocked', knew: draft.ui.seen });
  },
});
const dive = gesture('dive', {
  about: 'Open a page of the settings.',
  input: z.object({ path: s, item: s, ask: z.boolean() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { hint: '', find: '', number: '' });
    if (input.path === 'Recent calls') draft.ui.seen = 'calls';
  },
});
const key = gesture('key', {
  about: 'Type into a field.',
  input: z.object({ box: z.enum(['find', 'number']), value: s.max(30) }),
  run: (draft, { box, value }) => void (draft.ui[box] = value),
});
const to = (path: string, item = '', ask = false) => dive.with({ path, item, ask });
const groups = ['Connections', 'Display', 'Sound', 'Privacy'];

function inner({ toggles, networks, apps, calls, blocked, ui }: Phone) {
  const network = find(networks, ui.item);
  const open = find(apps, ui.item);
  const known = calls.map(({ number }) => number).sort();
  if (network && ui.ask)
    return dialog(`Forget ${network.name}?`, [
      button('FORGET', forget.with({ id: network.id })),
      button('CANCEL', to('Known networks')),
    ]);
  if (open)
    return list('App info', [
      heading(open.name),
      text(`Storage used: ${open.storage}`),
      ...access.map(mode => radio(`Location: ${mode}`, open.location === mode, permit.with({ id: open.id, mode }))),
    ]);
  if (groups.includes(ui.path))
    return list(ui.path, [
      ...toggles
        .filter(({ group }) => group === ui.path)
        .map(item => switchButton(item.name, item.on, flick.with({ id: item.id }))),
      ui.path === 'Connections' && link('Known networks', to('Known networks')),
    ]);
  if (ui.path === 'Known networks')
    return list(
      ui.path,
      networks.map(({ id, name, lock }) =>
        listItem(`${name} (${lock})`, [button(`Forget ${name}`, to(ui.path, id, true))]),
      ),
    );
  if (ui.path === 'Recent calls')
    return list(
      ui.path,
      calls.map(({ number, when }) => text(`${when}: ${number}`)),
    );
  if (ui.path === 'Blocked numbers')
    return list(ui.path, [
      combobox('Number to block', ui.number, { enter: key.entering({ box: 'number' }), options: known }),
      button('Block', block.with({ number: ui.number })),
      ...blocked.map(({ number }) => listItem(number, [text('no calls, no texts')])),
    ]);
  if (ui.path === 'Apps')
    return searchBox('Apps', [
      textbox('Find an app', ui.find, { enter: key.entering({ box: 'find' }) }),
      ...apps
        .filter(({ name }) => name.toLowerCase().includes(ui.find.toLowerCase()))
        .slice(0, 6)
        .map(({ id, name }) => link(name, to('Apps', id))),
    ]);
  return list(
    'Settings',
    [...groups, 'Apps', 'Recent calls', 'Blocked numbers'].map(name => link(name, to(name))),
  );
}

const tell = (i: number, forms: string[]) => forms[i % forms.length] ?? '';
const switches = (
  'Bluetooth,Mobile data,Hotspot,Airplane mode,Dark theme,Auto-rotate,Always-on clock,Night tint,' +
  'Vibrate on ring,Keyboard clicks,Charging chime,Do not disturb,Screen lock,Usage reports,Paste alerts'
).split(',');
const nets = (
  'CafeLuna,Hotel Mira,AirportFree,Oma-WLAN,Gate 14,TrainNet,Basement5G,Studio Nord,Campus,Neighbour-2,' +
  'BlueBus,Pier Seven,Clinic guest,Barn'
).split(',');
const titles = (
  'Trailmap,Pocketbank,Sudoku Sea,Podling,Weatherly,Chess Nook,Runlog,Shoplist,Starfinder,Translator,' +
  'Tidewatch,Metronome,Plant Pal,Scan It,Birdsong,Diary,Ferry Times,Yoga Now'
).split(',');
const moments = ['today 08:12', 'today 11:40', 'yesterday 19:05', 'yesterday 22:31', 'Monday 07:55', 'Sunday 13:20'];

const flickIt = template('turn-setting', {
  about: 'Turn a setting on or off.',
  split: 'train',
  sample: ({ toggles }, random) => ({ ...random.pick(toggles), want: random.chance(0.5), i: random.between(0, 5) }),
  setup: (draft, { id, want }) => void (need(draft.toggles, id, 'setting').on = !want),
  instruction: ({ name, group, want, i }) =>
    tell(i, [
      `${name} ${want ? 'on' : 'off'}`,
      `Turn ${want ? 'on' : 'off'} ${name}, please.`,
      `I never know where to find it: can you switch ${name} ${want ? 'on' : 'off'} for me?`,
      `${want ? 'Enable' : 'Disable'} ${name} under ${group}.`,
      want ? `I'd like to have ${name} active.` : `I don't want ${name} any longer.`,
      `My sister says ${name} should be ${want ? 'on' : 'off'} on my phone, so change it.`,
    ]),
  checks: ({ id, want }) => [{ name: 'the setting is right', test: final => find(final.toggles, id)?.on === want }],
  allow: ({ id }) => [`/toggles/${id}/on`],
});
const forgetIt = template('forget-network', {
  about: 'Forget a network.',
  split: 'train',
  sample: ({ networks }, random) => ({ ...random.pick(networks), i: random.between(0, 5) }),
  instruction: ({ name, i }) =>
    tell(i, [
      `Forget the network ${name}.`,
      `My phone keeps joining ${name} and it is awful. Make it stop knowing that Wi-Fi.`,
      `Remove ${name} from my known networks`,
      `I won't go back to where ${name} is, you can delete that network.`,
      `Please have the phone forget "${name}".`,
      `Wi-Fi: drop ${name}`,
    ]),
  checks: ({ id }) => [{ name: 'the network is forgotten', test: final => !find(final.networks, id) }],
  allow: ({ id }) => [`/networks/${id}`],
});
const locate = template('location-access', {
  about: 'Set when an app may use the location.',
  split: 'train',
  sample({ apps }, random) {
    const { id, name, location } = random.pick(apps);
    return { id, name, mode: random.pick(access.filter(mode => mode !== location)), i: random.between(0, 5) };
  },
  instruction: ({ name, mode, i }) =>
    tell(i, [
      `Location for ${name}: ${mode}.`,
      `Set the location access of ${name} to "${mode}".`,
      `I read about ${name} in the news. Its location permission should be ${mode}, please change it.`,
      `${name} -> location -> ${mode}`,
      `Would you let ${name} see where I am: ${mode.toLowerCase()}?`,
      `About ${name} and my whereabouts: "${mode}" is what I want.`,
    ]),
  checks: ({ id, mode }) => [{ name: 'the access is right', test: final => find(final.apps, id)?.location === mode }],
  allow: ({ id }) => [`/apps/${id}/location`],
});
const blockCaller = template('block-caller', {
  about: 'Block the number of a recent call.',
  split: 'train',
  sample: ({ calls }, random) => ({ ...random.pick(calls), i: random.between(0, 5) }),
  instruction: ({ when, i }) =>
    tell(i, [
      `Block whoever called me ${when}.`,
      `The call from ${when} was a scam. Put that number on the blocked list.`,
      `Somebody woke me up, it was ${when}. I never want to hear from that number again.`,
      `Look in the recent calls for ${when} and block the number, please.`,
      `block caller of ${when}`,
      `Can you see who rang ${when}? That number should be blocked.`,
    ]),
  checks: ({ number }) => [
    { name: 'the number is blocked', test: final => final.blocked.at(-1)?.number === number },
    { name: 'only one was added', test: (final, initial) => added(initial.blocked, final.blocked).length === 1 },
    { name: 'the calls were read first', test: final => final.ui.knew !== '' },
  ],
  allow: () => ['/blocked/+'],
});
const storageOf = template('app-storage', {
  about: 'Say how much storage an app uses.',
  split: 'train',
  sample: ({ apps }, random) => ({ ...random.pick(apps), i: random.between(0, 5) }),
  instruction: ({ name, i }) =>
    tell(i, [
      `How much storage does ${name} use?`,
      `My phone is full. What does ${name} take up?`,
      `storage of ${name}?`,
      `Tell me how big ${name} has become.`,
      `Please check the app info of ${name} for its storage.`,
      `I might delete ${name}; how much space would that be?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { apps }) => find(apps, id)?.storage ?? '',
  shown: ({ ui }, { id }) => ui.item === id,
});

export const app = defineApp({
  id: 'pocket',
  title: 'Phone settings',
  about: 'The settings of a phone.',
  state,
  init(random) {
    const number = () => `+44 ${random.between(1000, 9999)} ${random.between(100000, 999999)}`;
    return {
      toggles: switches.map((name, at) => ({
        id: `t${at + 1}`,
        name,
        group: groups[Math.floor(at / 4)] ?? '',
        on: random.chance(0.5),
      })),
      networks: random.sample(nets, 7).map((name, at) => ({ id: `n${at + 1}`, name, lock: at % 3 ? 'WPA2' : 'open' })),
      apps: random.sample(titles, 13).map((name, at) => ({
        id: `a${at + 1}`,
        name,
        storage: `${random.between(12, 990)} MB`,
        location: random.pick(access),
      })),
      calls: moments.map((when, at) => ({ id: `c${at + 1}`, number: number(), when })),
      blocked: [{ id: 'x1', number: number() }],
      ui: { path: '', item: '', ask: false, find: '', number: '', hint: '', seen: '', knew: '' },
    };
  },
  commands: [flick, forget, permit, block, dive, key],
  view: phone =>
    page(phone.ui.path === '' ? 'Phone' : phone.ui.path, [
      phone.ui.path !== '' && button('←', to('')),
      phone.ui.hint !== '' && status(phone.ui.hint),
      inner(phone),
    ]),
  templates: [flickIt, forgetIt, locate, blockCaller, storageOf],
  onRefusal: (draft, message) => void (draft.ui.hint = message),
});
