import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  menu,
  menuItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  row,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const kinds = ['A', 'CNAME', 'MX', 'TXT'];
const lifetimes = ['60', '300', '900', '3600', '14400', '86400'];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const state = z.object({
  domains: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      holder: z.string(),
      expires: z.int(),
      renews: z.boolean(),
      signed: z.boolean(),
      transferLock: z.boolean(),
      goingTo: z.string(),
    }),
  ),
  records: z.array(
    z.object({
      id: z.string(),
      domain: z.string(),
      host: z.string(),
      kind: z.string(),
      target: z.string(),
      ttl: z.string(),
      managed: z.boolean(),
    }),
  ),
  ui: z.object({
    domain: z.string(),
    pane: z.string(),
    record: z.string(),
    menu: z.string(),
    erase: z.string(),
    target: z.string(),
    host: z.string(),
    kind: z.string(),
    ttl: z.string(),
    registrar: z.string(),
    warning: z.string(),
  }),
});
type Console = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const registrars = ['Hexa Names', 'Hexonet', 'Northreg', 'Plainhost'];

const retarget = command('apply_record', {
  about: 'Give a record another target and lifetime.',
  input: z.object({ id: z.string(), target: z.string().trim().min(1, 'A record needs a target.'), ttl: z.string() }),
  run(draft, { id, target, ttl }) {
    const it = need(draft.records, id, 'record');
    if (it.managed) refuse('This record is managed by the mail service and is read-only.');
    if (!lifetimes.includes(ttl)) refuse('Choose a lifetime.');
    Object.assign(it, { target, ttl });
    draft.ui.record = '';
  },
});
const create = command('create_record', {
  about: 'Add a record to a zone.',
  input: z.object({
    domain: z.string(),
    host: z.string().trim().min(1, 'Fill in the host.'),
    kind: z.string().min(1, 'Choose a type.'),
    target: z.string().trim().min(1, 'Fill in the target.'),
  }),
  run(draft, { domain, host, kind, target }) {
    need(draft.domains, domain, 'domain');
    draft.records.push({ id: nextId(draft.records, 'r'), domain, host, kind, target, ttl: '3600', managed: false });
    Object.assign(draft.ui, { host: '', kind: '', target: '', pane: 'zone' });
  },
});
const erase = command('erase_record', {
  about: 'Remove a record from its zone.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.records, id, 'record');
    draft.ui.erase = '';
    if (it.managed) refuse('This record is managed by the mail service and is read-only.');
    remove(draft.records, id);
  },
});
const renewal = command('toggle_renewal', {
  about: 'Switch automatic renewal of a domain.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.domains, id, 'domain');
    it.renews = !it.renews;
  },
});
const sign = command('toggle_dnssec', {
  about: 'Switch DNSSEC of a domain.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.domains, id, 'domain');
    it.signed = !it.signed;
  },
});
const lock = command('toggle_transfer_lock', {
  about: 'Switch the transfer lock of a domain.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.domains, id, 'domain');
    it.transferLock = !it.transferLock;
  },
});
const transfer = command('transfer_domain', {
  about: 'Send a domain to another registrar.',
  input: z.object({ id: z.string(), registrar: z.string().min(1, 'Choose the new registrar.') }),
  run(draft, { id, registrar }) {
    const it = need(draft.domains, id, 'domain');
    if (it.transferLock) refuse(`${it.name} is locked against transfers.`);
    it.goingTo = registrar;
    draft.ui.registrar = '';
  },
});
const zone = query('read_zone', {
  about: 'Show a domain with the records of its zone.',
  input: z.object({ name: z.string() }),
  run({ domains, records }, { name }) {
    const it = domains.find(one => one.name === name) ?? refuse('No such domain.');
    return { ...it, records: records.filter(({ domain }) => domain === it.id) };
  },
});
const closed = { record: '', menu: '', erase: '', target: '', host: '', kind: '', registrar: '', warning: '' };
const enter = gesture('enter_domain', {
  about: 'Open a domain on one of its panes, or the portfolio.',
  input: z.object({ domain: z.string(), pane: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, closed, input),
});
const actions = gesture('open_actions', {
  about: 'Open the actions of a record.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, closed, { menu: draft.ui.menu === id ? '' : id }),
});
const edit = gesture('edit_record', {
  about: 'Edit a record in its row.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const { target, ttl } = need(draft.records, id, 'record');
    Object.assign(draft.ui, closed, { record: id, target, ttl });
  },
});
const askErase = gesture('ask_erase', {
  about: 'Ask before a record is removed.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, closed, { erase: id }),
});
const fillIn = gesture('fill_in', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['target', 'host', 'kind', 'ttl', 'registrar']), value: z.string().max(90) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

const expiry = (serial: number) => `${(serial % 28) + 1} ${monthNames[Math.floor(serial / 28) % 12]} 2027`;

const portfolio = ({ domains }: Console) =>
  table(
    'Portfolio',
    domains.map(({ id, name, holder, expires }) =>
      row(name, [
        link(name, enter.with({ domain: id, pane: 'zone' })),
        cell(`held by ${holder}`),
        cell(`expires ${expiry(expires)}`),
      ]),
    ),
    { shuffle: true },
  );

function zonePane({ records, ui }: Console) {
  return table(
    'Zone',
    records
      .filter(({ domain }) => domain === ui.domain)
      .map(it =>
        ui.record === it.id
          ? row(`${it.host} ${it.kind}`, [
              cell(`${it.host} ${it.kind}`),
              textbox('Points to', ui.target, { enter: fillIn.entering({ field: 'target' }) }),
              combobox('Lifetime', ui.ttl, { enter: fillIn.entering({ field: 'ttl' }), options: lifetimes }),
              button('Apply to zone', retarget.with({ id: it.id, target: ui.target, ttl: ui.ttl })),
            ])
          : row(`${it.host} ${it.kind}`, [
              cell(`${it.host} ${it.kind}`),
              cell(it.target),
              cell(`ttl ${it.ttl}`),
              it.managed && cell('managed'),
              button(`Actions ${it.host} ${it.kind}`, actions.with({ id: it.id })),
              ui.menu === it.id &&
                menu(`${it.host} ${it.kind}`, [
                  menuItem('Edit in place', edit.with({ id: it.id })),
                  menuItem('Take out of the zone', askErase.with({ id: it.id })),
                ]),
            ]),
      ),
  );
}

function domainPane(app: Console) {
  const { domains, ui } = app;
  const it = need(domains, ui.domain, 'domain');
  const pane = (key: string, name: string) =>
    tab(name, enter.with({ domain: it.id, pane: key }), ui.pane === key ? ['selected'] : []);
  return region(it.name, [
    link('Portfolio', enter.with({ domain: '', pane: '' })),
    heading(it.name),
    pane('zone', 'Zone'),
    pane('new', 'New record'),
    pane('registration', 'Registration'),
    ui.pane === 'zone' && zonePane(app),
    ui.pane === 'new' &&
      form('New record', [
        textbox('Host', ui.host, { enter: fillIn.entering({ field: 'host' }) }),
        combobox('Type', ui.kind, { enter: fillIn.entering({ field: 'kind' }), options: kinds }),
        textbox('Points to', ui.target, { enter: fillIn.entering({ field: 'target' }) }),
        button('Add to zone', create.with({ domain: it.id, host: ui.host, kind: ui.kind, target: ui.target })),
      ]),
    ui.pane === 'registration' &&
      region('Registration', [
        text(`Held by ${it.holder}, until ${expiry(it.expires)}`),
        switchButton('Renew by itself', it.renews, renewal.with({ id: it.id })),
        switchButton('DNSSEC', it.signed, sign.with({ id: it.id })),
        switchButton('Transfer lock', it.transferLock, lock.with({ id: it.id })),
        it.goingTo !== '' && status(`On its way to ${it.goingTo}`),
        combobox('New registrar', ui.registrar, {
          enter: fillIn.entering({ field: 'registrar' }),
          options: registrars,
        }),
        button('Start transfer', transfer.with({ id: it.id, registrar: ui.registrar })),
      ]),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
const anyDomain = ({ domains }: Console, random: Draw) => {
  const { id, name } = random.pick(domains);
  return { id, name };
};
function anyRecord({ records, domains }: Console, random: Draw) {
  const it = random.pick(records);
  return { id: it.id, domain: it.domain, host: it.host, kind: it.kind, name: find(domains, it.domain)?.name ?? '' };
}

const point = template('point-record', {
  about: 'Point an address record to another address.',
  split: 'train',
  sample({ records, domains }, random) {
    const it = random.pick(records.filter(({ kind }) => kind === 'A'));
    const name = find(domains, it.domain)?.name ?? '';
    return { id: it.id, host: it.host, name, ip: `198.51.100.${random.between(2, 250)}` };
  },
  instruction: ({ host, name, ip }, random) =>
    random.pick([
      `Point ${host} of ${name} to ${ip}.`,
      `The machine behind ${host}.${name} has moved, its address is ${ip} now. Change the A record.`,
      `A record, zone ${name}, host ${host}: new target ${ip}`,
      `We have a new server at ${ip}. Please make "${host}" in ${name} lead there; the lifetime stays.`,
    ]),
  checks: ({ id, ip }) => [{ name: 'it points there', test: final => find(final.records, id)?.target === ip }],
  allow: ({ id }) => [`/records/${id}/target`],
});

const addTxt = template('add-record', {
  about: 'Add a record to a zone by the form.',
  split: 'train',
  sample: (app, random) => ({
    ...anyDomain(app, random),
    host: random.pick(['_verify', '_dmarc', 'status', 'blog', 'files']),
    kind: random.pick(['TXT', 'CNAME']),
    target: `${random.pick(['owner', 'token', 'site', 'proof'])}-${random.between(1000, 9999)}.example`,
  }),
  instruction: ({ name, host, kind, target }, random) =>
    random.pick([
      `Add a ${kind} record to ${name}: host ${host}, target ${target}.`,
      `A partner asks us to prove that ${name} is ours. They want ${host} as ${kind} with "${target}".`,
      `${name} needs a new ${kind} entry. ${host} -> ${target}. thx`,
    ]),
  checks: ({ id, host, kind, target }) => [
    {
      name: 'one record was added, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.records, final.records);
        return (
          more.length === 0 &&
          made?.domain === id &&
          made.host === host &&
          made.kind === kind &&
          made.target === target &&
          made.ttl === '3600' &&
          !made.managed
        );
      },
    },
  ],
  allow: () => ['/records/+'],
});

const renewAll = template('renew-of-holder', {
  about: 'Switch renewal on for all domains of a holder.',
  split: 'train',
  sample({ domains }, random) {
    const { holder } = random.pick(domains);
    const ids = domains.filter(it => it.holder === holder).map(({ id }) => id);
    return ids.length > 3 ? null : { holder, ids };
  },
  setup(draft, { ids }) {
    for (const id of ids) need(draft.domains, id, 'domain').renews = false;
  },
  instruction: ({ holder }, random) =>
    random.pick([
      `Every domain held by ${holder} should renew by itself.`,
      `${holder} almost lost a domain last year. Have theirs renewed automatically from now on.`,
      `Automatic renewal on, for all that ${holder} holds. Leave other holders alone.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} renews`, test: final => find(final.domains, id)?.renews === true })),
  allow: ({ ids }) => ids.map(id => `/domains/${id}/renews`),
});

const takeOut = template('take-out-record', {
  about: 'Remove a record; some are managed and stay.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample: (app, random) => ({ ...anyRecord(app, random), free: random.between(0, 1) === 1 }),
  setup: (draft, { id, free }) => void (need(draft.records, id, 'record').managed = !free),
  instruction: ({ host, kind, name }, random) =>
    random.pick([
      `Remove the ${kind} record of ${host} from ${name}.`,
      `${name} no longer uses ${host} (${kind}). Take that record out, unless the console forbids it.`,
      `delete ${host} ${kind} in the zone ${name}`,
    ]),
  checks: ({ id }) => [{ name: 'it is gone', test: final => find(final.records, id) === undefined }],
  allow: ({ id }) => [`/records/${id}`],
  shown: ({ ui }, { domain }) => ui.domain === domain && ui.pane === 'zone' && ui.erase === '',
});

const move = template('transfer-locked', {
  about: 'Transfer a domain that is locked: unlock it first.',
  split: 'train',
  sample: (app, random) => ({ ...anyDomain(app, random), registrar: random.pick(registrars) }),
  setup: (draft, { id }) => void Object.assign(need(draft.domains, id, 'domain'), { transferLock: true, goingTo: '' }),
  instruction: ({ name, registrar }, random) =>
    random.pick([
      `Transfer ${name} to ${registrar}. You may have to unlock it.`,
      `We sold ${name}, the buyer is with ${registrar}: drop the lock and start the transfer.`,
      `${name} goes over to ${registrar}. It is locked at the moment, so remove the lock first.`,
    ]),
  checks: ({ id, registrar }) => [
    { name: 'it is unlocked', test: final => find(final.domains, id)?.transferLock === false },
    { name: 'it is on its way', test: final => find(final.domains, id)?.goingTo === registrar },
  ],
  allow: ({ id }) => [`/domains/${id}/transferLock`, `/domains/${id}/goingTo`],
});

const whereTo = template('where-does-it-point', {
  about: 'Say where a record points.',
  split: 'train',
  sample: anyRecord,
  instruction: ({ host, kind, name }, random) =>
    random.pick([
      `Where does the ${kind} record ${host} of ${name} point?`,
      `I can't remember the target of ${host} (${kind}) in ${name}. What is it?`,
      `${name}, ${host}, ${kind}: which target is set?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { records }) => need(records, id, 'record').target,
  shown: ({ ui }, { domain }) => ui.domain === domain && ui.pane === 'zone' && ui.erase === '' && ui.record === '',
});

const shortest = template('raise-shortest-lifetime', {
  about: 'Give the record with the shortest lifetime of a zone a longer one.',
  split: 'train',
  sample({ domains, records }, random) {
    const { id, name } = random.pick(domains);
    const own = records.filter(it => it.domain === id).sort((one, other) => Number(one.ttl) - Number(other.ttl));
    const [first, second] = own;
    if (first === undefined || second === undefined || first.ttl === second.ttl) return null;
    return { id: first.id, name, ttl: random.pick(lifetimes.filter(it => Number(it) > Number(second.ttl))) };
  },
  setup: (draft, { id }) => void (need(draft.records, id, 'record').managed = false),
  instruction: ({ name, ttl }, random) =>
    random.pick([
      `In ${name}, give the record with the shortest lifetime a lifetime of ${ttl}.`,
      `One record of ${name} expires from caches faster than the others. Set that one to ${ttl} seconds.`,
      `lowest ttl in ${name} -> ${ttl}`,
    ]),
  checks: ({ id, ttl }) => [{ name: 'the lifetime is longer', test: final => find(final.records, id)?.ttl === ttl }],
  allow: ({ id }) => [`/records/${id}/ttl`],
});

const signed = template('have-it-signed', {
  about: 'See that DNSSEC is on; it may be on already.',
  split: 'train',
  kind: 'already-done',
  isTwin: ({ off }) => off,
  sample: (app, random) => ({ ...anyDomain(app, random), off: random.between(0, 1) === 1 }),
  setup: (draft, { id, off }) => void (need(draft.domains, id, 'domain').signed = !off),
  instruction: ({ name }, random) =>
    random.pick([
      `DNSSEC has to be on for ${name}.`,
      `The auditors want signed zones. See to it that ${name} has DNSSEC.`,
      `Is DNSSEC active for ${name}? If it isn't, switch it on.`,
    ]),
  checks: ({ id }) => [{ name: 'DNSSEC is on', test: final => find(final.domains, id)?.signed === true }],
  allow: ({ id }) => [`/domains/${id}/signed`],
  shown: ({ ui }, { id }) => ui.domain === id && ui.pane === 'registration',
});

const stems = ['maple-tools', 'maple-toys', 'oakline', 'oakline-shop', 'riverkite', 'river-kites', 'tinsmith'];
const endings = ['example', 'test'];
const holders = ['Maple Holding', 'Oak Line Ltd', 'R. Kite', 'S. Kite', 'Tin & Sons', 'Tin Trading', 'Oak Trust'];

export const app = defineApp({
  id: 'zone-console',
  title: 'Zone console',
  about: 'Domains of several holders: zones with their records, renewal, signing and transfers.',
  state,
  init(random) {
    const dates = random.sample(
      Array.from({ length: 300 }, (_, index) => index),
      14,
    );
    const domains = random.shuffle(stems.flatMap(stem => endings.map(end => `${stem}.${end}`))).map((name, index) => ({
      id: `d${index + 1}`,
      name,
      holder: holders[index % 7] ?? '',
      expires: dates[index] ?? 0,
      renews: random.chance(0.5),
      signed: random.chance(0.4),
      transferLock: random.chance(0.7),
      goingTo: '',
    }));
    const records = domains.flatMap(({ id }) => {
      const shape: [string, string][] = random.sample(
        [
          ['www', 'A'],
          ['mail', 'A'],
          ['mail', 'MX'],
          ['shop', 'CNAME'],
          ['api', 'A'],
          ['info', 'TXT'],
        ],
        4,
      );
      return shape.map(([host, kind]) => ({ domain: id, host, kind }));
    });
    return {
      domains,
      records: records.map((it, index) => ({
        id: `r${index + 1}`,
        ...it,
        target:
          it.kind === 'A'
            ? `203.0.113.${random.between(2, 250)}`
            : `${random.pick(['node', 'mx', 'edge'])}${random.between(10, 99)}.host.example`,
        ttl: random.pick(lifetimes.slice(0, 5)),
        managed: random.chance(0.15) && it.kind !== 'A',
      })),
      ui: { domain: '', pane: '', ttl: '', ...closed },
    };
  },
  commands: [retarget, create, erase, renewal, sign, lock, transfer, zone, enter, actions, edit, askErase, fillIn],
  view(app) {
    const { ui, records } = app;
    const doomed = find(records, ui.erase);
    if (doomed !== undefined)
      return page('Zone console', [
        dialog(`Take ${doomed.host} ${doomed.kind} out of the zone?`, [
          text('Resolvers forget it when its lifetime is over.'),
          button('Take it out', erase.with({ id: doomed.id })),
          button('Keep record', askErase.with({ id: '' })),
        ]),
      ]);
    return page('Zone console', [
      ui.warning !== '' && alert(ui.warning),
      ui.domain === '' ? portfolio(app) : domainPane(app),
    ]);
  },
  templates: [point, addTxt, renewAll, takeOut, move, whereTo, shortest, signed],
  onRefusal(draft, message) {
    draft.ui.warning = message;
    draft.ui.erase = '';
  },
});
