// A developer console for hosted services: releases and rollback, instances, variables, and access keys.
import { alert, appKit, button, cell, combobox, defineApp, dialog, find, heading, link, need, page } from 'espalier';
import { refuse, region, remove, row, status, tab, table, text, toolbar, z } from 'espalier';

const s = z.string();
const state = z.object({
  services: z.array(z.object({ id: s, name: s, region: s, live: s, size: s, health: s, port: s })),
  releases: z.array(z.object({ id: s, service: s, tag: s, author: s })),
  keys: z.array(z.object({ id: s, label: s, owner: s, used: s })),
  ui: z.object({ area: s, service: s, pane: s, key: s, banner: s }),
});
type Console = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const sizes = ['1 instance', '2 instances', '3 instances', '4 instances', '6 instances', '8 instances'];

const release = command('make_live', {
  about: 'Make a release of a service live.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const { service, tag } = need(draft.releases, id, 'release');
    const target = need(draft.services, service, 'service');
    if (target.live === tag) refuse(`${tag} is live already.`);
    target.live = tag;
    draft.ui.banner = `${target.name} now runs ${tag}.`;
  },
});
const resize = command('resize_service', {
  about: 'Change how many instances a service has.',
  input: z.object({ id: s, value: z.enum(sizes as [string, ...string[]]) }),
  run: (draft, { id, value }) => void (need(draft.services, id, 'service').size = value),
});
const restart = command('restart_service', {
  about: 'Restart a service.',
  input: z.object({ id: s }),
  run: (draft, { id }) => void (need(draft.services, id, 'service').health = 'restarting'),
});
const revoke = command('revoke_key', {
  about: 'Revoke an access key.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.keys, need(draft.keys, id, 'key').id);
    Object.assign(draft.ui, { key: '', banner: 'Key revoked.' });
  },
});
const visit = gesture('visit', {
  about: 'Open a part of the console.',
  input: z.object({ area: s, service: s, pane: s, key: s }),
  run: (draft, input) => void Object.assign(draft.ui, input, { banner: '' }),
});
const to = (area: string, service = '', pane = 'Overview', key = '') => visit.with({ area, service, pane, key });

type Service = Console['services'][number];
function pane({ releases, ui }: Console, { id, live, size, health, port, region: zone }: Service) {
  if (ui.pane === 'Releases')
    return table(
      'Releases',
      releases
        .filter(({ service }) => service === id)
        .map(item =>
          row(item.tag, [
            cell(`${item.tag} by ${item.author}`),
            item.tag === live ? cell('LIVE') : button(`Make ${item.tag} live`, release.with({ id: item.id })),
          ]),
        ),
    );
  return region('Overview', [
    text(`live=${live}`),
    text(`region=${zone}`),
    text(`port=${port}`),
    status(`health=${health}`),
    combobox('scale', size, { enter: resize.entering({ id }), options: sizes }),
    button('Restart', restart.with({ id })),
  ]);
}
function area(all: Console) {
  const { services, keys, ui } = all;
  const service = find(services, ui.service);
  const key = find(keys, ui.key);
  if (key)
    return dialog(`Revoke ${key.label}?`, [
      text('Scripts that use this key stop working at once.'),
      button('Revoke now', revoke.with({ id: key.id })),
      button('Dismiss', to('keys')),
    ]);
  if (ui.area === 'keys')
    return table(
      'Access keys',
      keys.map(({ id, label, owner, used }) =>
        row(label, [cell(owner), cell(`last used ${used}`), button(`revoke ${label}`, to('keys', '', '', id))]),
      ),
    );
  if (service)
    return region(service.name, [
      heading(`services / ${service.name}`),
      ...['Overview', 'Releases'].map(name =>
        tab(name, to('services', service.id, name), ui.pane === name ? ['selected'] : []),
      ),
      pane(all, service),
    ]);
  return table(
    'services',
    services.map(({ id, name, health }) => row(name, [link(name, to('services', id)), cell(health)])),
  );
}

const form = (v: number, forms: string[]) => forms[v % forms.length] ?? '';
const stems = 'auth,ledger,thumbs,search,mailer,geo,cron,invoice,feed,push,quota,audit,render,cart'.split(',');
const tails = 'api,worker,proxy,store,gateway'.split(',');
const coders = 'mika,tove,raj,sol,ines,bart,yuki,omar,lena,dov,pia,kurt,zoe'.split(',');
const labels = 'ci-runner,laptop,backup,grafana,terraform,old-script,partner,kiosk,demo,billing,docs,bot'.split(',');

const rollBack = template('go-live', {
  about: 'Make another release of a service live.',
  split: 'train',
  sample({ services, releases }, random) {
    const { id, name, live } = random.pick(services);
    const { tag } = random.pick(releases.filter(item => item.service === id && item.tag !== live));
    return { id, name, tag, live, v: random.between(0, 5) };
  },
  instruction: ({ name, tag, live, v }) =>
    form(v, [
      `Put ${tag} of ${name} live.`,
      `${live} of ${name} leaks memory. Switch to ${tag}.`,
      `${name} => ${tag}`,
      `Could you get ${name} onto release ${tag}, please? ${live} was a mistake.`,
      `Customers should see ${tag} when they hit ${name}.`,
      `We agreed in standup that ${name} runs ${tag} instead of ${live} from now on. Do that.`,
    ]),
  checks: ({ id, tag }) => [{ name: 'the release is live', test: final => find(final.services, id)?.live === tag }],
  allow: ({ id }) => [`/services/${id}/live`],
});
const revive = template('restart-failing', {
  about: 'Restart the one service that is in trouble.',
  split: 'train',
  sample({ services }, random) {
    return { id: random.pick(services).id, bad: random.pick(['failing', 'stuck', 'down']), v: random.between(0, 5) };
  },
  setup(draft, { id, bad }) {
    for (const service of draft.services) service.health = service.id === id ? bad : 'ok';
  },
  instruction: ({ bad, v }) =>
    form(v, [
      `Restart whatever is ${bad}.`,
      `One of our services is ${bad}. Give it a restart.`,
      `Pager went off, something is ${bad}. Find it and restart it please.`,
      `There should be a service with health ${bad}; bounce that one only.`,
      `restart the ${bad} one`,
      `I can't tell from here which service is ${bad}, but it needs to be restarted.`,
    ]),
  checks: ({ id }) => [{ name: 'it restarts', test: final => find(final.services, id)?.health === 'restarting' }],
  allow: ({ id }) => [`/services/${id}/health`],
});
const revokeOf = template('revoke-key', {
  about: 'Revoke the key of a person.',
  split: 'train',
  sample: ({ keys }, random) => ({ ...random.pick(keys), v: random.between(0, 5) }),
  instruction: ({ label, owner, used, v }) =>
    form(v, [
      `Revoke the key ${label}.`,
      `${owner} has left the company. The access key in that name has to be revoked.`,
      `There's a key last used ${used}. Nobody needs it, revoke it.`,
      `kill access key "${label}" (${owner})`,
      `Security asks us to withdraw ${owner}'s key today, please do.`,
      `We think ${label} was leaked, so make it unusable.`,
    ]),
  checks: ({ id }) => [{ name: 'the key is gone', test: final => !find(final.keys, id) }],
  allow: ({ id }) => [`/keys/${id}`],
});
const bigger = template('scale-and-restart', {
  about: 'Resize a service, then restart it.',
  split: 'train',
  sample({ services }, random) {
    const { id, name, size } = random.pick(services);
    return { id, name, size: random.pick(sizes.filter(other => other !== size)), v: random.between(0, 5) };
  },
  instruction: ({ name, size, v }) =>
    form(v, [
      `Scale ${name} to ${size} and restart it.`,
      `${name}: ${size}, then a restart`,
      `Traffic has changed. Please run ${name} on ${size}, and restart it when that is set.`,
      `Can you do two things for ${name}? Make it ${size}, then bounce it.`,
      `I want ${name} freshly restarted with ${size}.`,
      `Because of tonight's test, ${name} should have ${size}; it also has to be restarted.`,
    ]),
  checks: ({ id, size }) => [
    { name: 'the size is right', test: final => find(final.services, id)?.size === size },
    { name: 'it restarts', test: final => find(final.services, id)?.health === 'restarting' },
  ],
  allow: ({ id }) => [`/services/${id}/size`, `/services/${id}/health`],
});
const whichPort = template('port-of-service', {
  about: 'Say on which port a service listens.',
  split: 'train',
  sample: ({ services }, random) => ({ ...random.pick(services), v: random.between(0, 5) }),
  instruction: ({ name, v }) =>
    form(v, [
      `Which port does ${name} listen on?`,
      `port of ${name}?`,
      `I am writing firewall rules and need the port of ${name}.`,
      `Tell me the port number for ${name}, please.`,
      `My tunnel to ${name} fails, I guess the port is wrong. What is it?`,
      `Look up ${name} and report its port.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { services }) => find(services, id)?.port ?? '',
  shown: ({ ui }, { id }) => ui.service === id && ui.pane === 'Overview' && ui.area === 'services',
});

export const app = defineApp({
  id: 'deckhand',
  title: 'Deckhand',
  about: 'A developer console for hosted services.',
  state,
  init(random) {
    const health = () => (random.chance(0.8) ? 'ok' : 'slow');
    const services = random.sample(stems, 8).map((stem, at) => ({
      id: `s${at + 1}`,
      name: `${stem}-${random.pick(tails)}`,
      region: random.pick(['fra', 'iad', 'sin', 'gru']),
      live: `v${at + 1}.3`,
      size: random.pick(sizes),
      health: health(),
      port: String(random.between(3000, 9999)),
    }));
    const releases = services.flatMap(({ id }, at) =>
      [4, 3, 2, 1].map(minor => ({
        id: `r${at * 4 + minor}`,
        service: id,
        tag: `v${at + 1}.${minor}`,
        author: random.pick(coders),
      })),
    );
    const owners = random.shuffle(coders);
    const keys = random.sample(labels, 11).map((label, at) => ({
      id: `k${at + 1}`,
      label,
      owner: owners[at] ?? '',
      used: `${at * 9 + random.between(2, 9)} days ago`,
    }));
    return { services, releases, keys, ui: { area: 'services', service: '', pane: 'Overview', key: '', banner: '' } };
  },
  commands: [release, resize, restart, revoke, visit],
  view: all =>
    page('Deckhand', [
      toolbar('console', [link('services', to('services')), link('access keys', to('keys'))]),
      all.ui.banner !== '' && alert(all.ui.banner),
      area(all),
    ]),
  templates: [rollBack, revive, revokeOf, bigger, whichPort],
  onRefusal: (draft, message) => void (draft.ui.banner = message),
});
