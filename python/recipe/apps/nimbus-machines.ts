import {
  added,
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  row,
  status,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const sizes = [
  { name: 'pebble', cores: 1, memory: 2 },
  { name: 'stone', cores: 2, memory: 8 },
  { name: 'boulder', cores: 4, memory: 16 },
  { name: 'cliff', cores: 8, memory: 32 },
  { name: 'massif', cores: 16, memory: 64 },
];
const sites = ['Oslo', 'Porto', 'Gdynia'];
const bases = ['Debian 13', 'Alpine 3', 'Fedora 42'];
const coresOf = (size: string) => sizes.find(({ name }) => name === size)?.cores ?? 0;

const state = z.object({
  projects: z.array(z.object({ id: z.string(), name: z.string(), coreLimit: z.int() })),
  machines: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      project: z.string(),
      site: z.string(),
      size: z.string(),
      base: z.string(),
      power: z.string(),
      address: z.string(),
      guarded: z.boolean(),
    }),
  ),
  disks: z.array(
    z.object({ id: z.string(), label: z.string(), project: z.string(), gigabytes: z.int(), on: z.string() }),
  ),
  requests: z.array(z.object({ id: z.string(), project: z.string(), cores: z.string(), why: z.string() })),
  ui: z.object({
    project: z.string(),
    drawer: z.string(),
    machine: z.string(),
    box: z.string(),
    name: z.string(),
    size: z.string(),
    site: z.string(),
    base: z.string(),
    cores: z.string(),
    why: z.string(),
    trouble: z.string(),
  }),
});
type Cloud = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const used = ({ machines }: Cloud, project: string) =>
  machines.filter(it => it.project === project).reduce((sum, it) => sum + coresOf(it.size), 0);

const build = command('build_machine', {
  about: 'Build a machine in a project.',
  input: z.object({
    project: z.string(),
    name: z.string().trim().min(2, 'The machine needs a name.'),
    size: z.string().min(1, 'Choose a size.'),
    site: z.string().min(1, 'Choose a site.'),
    base: z.string().min(1, 'Choose a system.'),
  }),
  run(draft, { project, name, size, site, base }) {
    const { coreLimit, name: title } = need(draft.projects, project, 'project');
    if (used(draft, project) + coresOf(size) > coreLimit) refuse(`Project ${title} has no cores left for a ${size}.`);
    const id = nextId(draft.machines, 'm');
    draft.machines.push({ id, name, project, site, size, base, power: 'running', address: '10.9.0.1', guarded: false });
    Object.assign(draft.ui, { drawer: 'machines', name: '', size: '', site: '', base: '' });
  },
});
const power = command('set_power', {
  about: 'Start or halt a machine.',
  input: z.object({ id: z.string(), power: z.enum(['running', 'halted']) }),
  run: (draft, { id, power: to }) => void (need(draft.machines, id, 'machine').power = to),
});
const resize = command('resize_machine', {
  about: 'Give a halted machine another size.',
  input: z.object({ id: z.string(), size: z.string() }),
  run(draft, { id, size }) {
    const it = need(draft.machines, id, 'machine');
    if (coresOf(size) === 0) refuse('No such size.');
    draft.ui.box = '';
    if (it.power === 'running') refuse(`${it.name} is running. Only halted machines change their size.`);
    it.size = size;
  },
});
const scrap = command('scrap_machine', {
  about: 'Scrap a machine for good.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.machines, id, 'machine');
    if (it.guarded) refuse(`${it.name} is guarded.`);
    remove(draft.machines, id);
    Object.assign(draft.ui, { machine: '', box: '' });
  },
});
const guard = command('toggle_guard', {
  about: 'Guard a machine against being scrapped, or lift that.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.machines, id, 'machine');
    it.guarded = !it.guarded;
  },
});
const plug = command('plug_disk', {
  about: 'Plug a disk into a machine, or unplug it with an empty machine.',
  input: z.object({ id: z.string(), machine: z.string() }),
  run(draft, { id, machine }) {
    const disk = need(draft.disks, id, 'disk');
    if (machine !== '' && disk.on !== '')
      refuse(`${disk.label} is plugged into ${find(draft.machines, disk.on)?.name ?? 'another machine'}.`);
    disk.on = machine;
  },
});
const beg = command('request_cores', {
  about: 'Ask for a higher limit of cores.',
  input: z.object({
    project: z.string(),
    cores: z.string().regex(/^\d+$/, 'How many cores?'),
    why: z.string().trim().min(4, 'Give a reason.'),
  }),
  run(draft, { project, cores, why }) {
    need(draft.projects, project, 'project');
    draft.requests.push({ id: nextId(draft.requests, 'q'), project, cores, why });
    Object.assign(draft.ui, { cores: '', why: '' });
  },
});
const inventory = query('inventory', {
  about: 'List machines and disks of a project.',
  input: z.object({ project: z.string() }),
  run({ projects, machines, disks }, { project }) {
    const it = projects.find(({ name }) => name === project) ?? refuse('No such project.');
    return {
      ...it,
      machines: machines.filter(one => one.project === it.id),
      disks: disks.filter(one => one.project === it.id),
    };
  },
});
const empty = { machine: '', box: '', name: '', size: '', site: '', base: '', cores: '', why: '', trouble: '' };
const goTo = gesture('go_to', {
  about: 'Open a drawer of a project.',
  input: z.object({ project: z.string(), drawer: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, empty, input),
});
const inspect = gesture('inspect', {
  about: 'Open a machine.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, empty, { machine: id }),
});
const popUp = gesture('pop_up', {
  about: 'Open or close a box of the machine.',
  input: z.object({ box: z.string() }),
  run: (draft, { box }) => void Object.assign(draft.ui, { box, trouble: '' }),
});
const put = gesture('put', {
  about: 'Fill a field.',
  input: z.object({ field: z.enum(['name', 'size', 'site', 'base', 'cores', 'why']), value: z.string().max(80) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

function machineView({ machines, disks, ui }: Cloud) {
  const it = need(machines, ui.machine, 'machine');
  const free = disks.filter(one => one.project === it.project);
  if (ui.box === 'size')
    return dialog(`Size of ${it.name}`, [
      ...sizes.map(({ name, cores, memory }) =>
        radio(`${name}: ${cores} cores, ${memory} GB`, it.size === name, resize.with({ id: it.id, size: name })),
      ),
      button('Leave size', popUp.with({ box: '' })),
    ]);
  if (ui.box === 'scrap')
    return dialog(`Scrap ${it.name}?`, [
      text('Its memory and local files are lost.'),
      button('Scrap it', scrap.with({ id: it.id })),
      button('Do not', popUp.with({ box: '' })),
    ]);
  return region(it.name, [
    link('Machines', inspect.with({ id: '' })),
    heading(it.name),
    status(`${it.power} in ${it.site}, ${it.size}, ${it.base}`),
    text(`Address ${it.address}`),
    toolbar('Power', [
      it.power === 'running'
        ? button('Halt', power.with({ id: it.id, power: 'halted' }))
        : button('Start', power.with({ id: it.id, power: 'running' })),
      button('Size…', popUp.with({ box: 'size' })),
      button('Scrap…', popUp.with({ box: 'scrap' })),
    ]),
    checkbox('Guarded', it.guarded, guard.with({ id: it.id })),
    list(
      'Disks of the project',
      free.map(disk =>
        listItem(disk.label, [
          text(
            `${disk.label}, ${disk.gigabytes} GB, ${disk.on === '' ? 'loose' : `in ${find(machines, disk.on)?.name ?? '?'}`}`,
          ),
          disk.on === it.id
            ? button(`Unplug ${disk.label}`, plug.with({ id: disk.id, machine: '' }))
            : button(`Plug in ${disk.label}`, plug.with({ id: disk.id, machine: it.id })),
        ]),
      ),
    ),
  ]);
}

function projectView(cloud: Cloud) {
  const { projects, machines, ui } = cloud;
  const it = need(projects, ui.project, 'project');
  return region(it.name, [
    heading(`Project ${it.name}`),
    toolbar('Drawers', [
      button('Machines', goTo.with({ project: it.id, drawer: 'machines' })),
      button('Build', goTo.with({ project: it.id, drawer: 'build' })),
      button('Limits', goTo.with({ project: it.id, drawer: 'limits' })),
    ]),
    ui.drawer === 'machines' &&
      table(
        'Machines',
        machines
          .filter(one => one.project === it.id)
          .map(one =>
            row(one.name, [
              link(one.name, inspect.with({ id: one.id })),
              cell(one.site),
              cell(one.size),
              cell(one.power),
              one.guarded && cell('guarded'),
            ]),
          ),
      ),
    ui.drawer === 'build' &&
      form('Build a machine', [
        textbox('Machine name', ui.name, { enter: put.entering({ field: 'name' }) }),
        combobox('Size', ui.size, { enter: put.entering({ field: 'size' }), options: sizes.map(({ name }) => name) }),
        combobox('Site', ui.site, { enter: put.entering({ field: 'site' }), options: sites }),
        combobox('System', ui.base, { enter: put.entering({ field: 'base' }), options: bases }),
        button('Build it', build.with({ project: it.id, name: ui.name, size: ui.size, site: ui.site, base: ui.base })),
      ]),
    ui.drawer === 'limits' &&
      region('Limits', [
        text(`${used(cloud, it.id)} of ${it.coreLimit} cores are in use`),
        form('Ask for more', [
          textbox('Cores wanted', ui.cores, { enter: put.entering({ field: 'cores' }) }),
          textbox('Reason', ui.why, { enter: put.entering({ field: 'why' }) }),
          button('Send to the quota team', beg.with({ project: it.id, cores: ui.cores, why: ui.why })),
        ]),
      ]),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function anyMachine({ machines, projects }: Cloud, random: Draw) {
  const it = random.pick(machines);
  return { id: it.id, name: it.name, project: find(projects, it.project)?.name ?? '' };
}

const haltIt = template('halt-machine', {
  about: 'Halt a machine of a project; another project has one of the same name.',
  split: 'train',
  sample: anyMachine,
  setup: (draft, { id }) => void (need(draft.machines, id, 'machine').power = 'running'),
  instruction: ({ name, project }, random) =>
    random.pick([
      `Halt ${name} in ${project}.`,
      `${project} pays for ${name} although nobody uses it. Please shut that machine down for now (do not scrap it).`,
      `Machine ${name}, project ${project}: power off.`,
      `could you stop ${name} of the projct ${project}`,
    ]),
  checks: ({ id }) => [{ name: 'it is halted', test: final => find(final.machines, id)?.power === 'halted' }],
  allow: ({ id }) => [`/machines/${id}/power`],
});

const grow = template('enough-memory', {
  about: 'Give a halted machine the smallest size with enough memory.',
  split: 'train',
  sample(cloud, random) {
    const it = anyMachine(cloud, random);
    const old = find(cloud.machines, it.id)?.size;
    const size = random.pick(sizes.slice(1).filter(({ name }) => name !== old));
    return { ...it, size: size.name, memory: size.memory - random.pick([0, 1, 3]) };
  },
  setup: (draft, { id }) => void (need(draft.machines, id, 'machine').power = 'halted'),
  instruction: ({ name, project, memory }, random) =>
    random.pick([
      `${name} in ${project} needs at least ${memory} GB of memory. Choose the smallest size that has it.`,
      `Resize ${name} (${project}): ${memory} GB must fit, and no bigger than necessary.`,
      `The program on ${name} in project ${project} takes ${memory} GB. Give the machine the smallest size in which this fits; it is halted.`,
    ]),
  checks: ({ id, size }) => [{ name: 'the size fits', test: final => find(final.machines, id)?.size === size }],
  allow: ({ id }) => [`/machines/${id}/size`],
});

const growRunning = template('resize-running', {
  about: 'Resize a running machine: halt it first, and leave it halted.',
  split: 'train',
  sample(cloud, random) {
    const it = anyMachine(cloud, random);
    const old = find(cloud.machines, it.id)?.size;
    return { ...it, size: random.pick(sizes.filter(({ name }) => name !== old)).name };
  },
  setup: (draft, { id }) => void (need(draft.machines, id, 'machine').power = 'running'),
  instruction: ({ name, project, size }, random) =>
    random.pick([
      `Halt ${name} in ${project} and make it a ${size}. Do not start it again.`,
      `${name} of ${project} becomes a ${size}. It runs right now; halt it for that, I start it later.`,
      `New size for ${name} (project ${project}): ${size}. The machine may stay halted afterwards.`,
    ]),
  checks: ({ id, size }) => [
    { name: 'it is halted', test: final => find(final.machines, id)?.power === 'halted' },
    { name: 'the size is set', test: final => find(final.machines, id)?.size === size },
  ],
  allow: ({ id }) => [`/machines/${id}/size`, `/machines/${id}/power`],
});

const buildOne = template('build-within-limit', {
  about: 'Build a machine; the limit of cores may forbid it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ room }) => room,
  sample({ projects }, random) {
    const { id, name } = random.pick(projects);
    return {
      id,
      project: name,
      name: random.pick(['indexer', 'runner-9', 'staging', 'mirror', 'scratch']),
      size: random.pick(['boulder', 'cliff', 'massif']),
      site: random.pick(sites),
      base: random.pick(bases),
      room: random.chance(0.5),
    };
  },
  setup(draft, { id, room }) {
    need(draft.projects, id, 'project').coreLimit = used(draft, id) + (room ? 20 : 2);
  },
  instruction: ({ project, name, size, site, base }, random) =>
    random.pick([
      `Build a ${size} called ${name} in ${project}: ${site}, ${base}.`,
      `${project} wants one more machine. Name ${name}, size ${size}, site ${site}, system ${base}. Only if the limit of the project permits.`,
      `New machine for ${project} please, "${name}" (${base}, ${size}, in ${site}).`,
    ]),
  checks: ({ id, name, size, site, base }) => [
    {
      name: 'one machine was built, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.machines, final.machines);
        return (
          more.length === 0 &&
          made?.project === id &&
          made.name === name &&
          made.size === size &&
          made.site === site &&
          made.base === base &&
          made.power === 'running' &&
          made.address === '10.9.0.1' &&
          !made.guarded
        );
      },
    },
  ],
  allow: () => ['/machines/+'],
  shown: ({ ui }, { id, project }) =>
    ui.project === id && (ui.drawer === 'limits' || ui.trouble.startsWith(`Project ${project}`)),
});

const scrapHalted = template('scrap-halted-at-site', {
  about: 'Scrap the halted machine of a project at a site.',
  split: 'train',
  sample({ machines, projects }, random) {
    const it = random.pick(machines);
    const mates = machines.filter(one => one.project === it.project && one.id !== it.id);
    return {
      id: it.id,
      site: it.site,
      project: find(projects, it.project)?.name ?? '',
      here: mates.filter(one => one.site === it.site).map(({ id }) => id),
      there: mates.filter(one => one.site !== it.site).map(({ id }) => id),
    };
  },
  setup(draft, { id, here, there }) {
    Object.assign(need(draft.machines, id, 'machine'), { power: 'halted', guarded: false });
    for (const one of here) need(draft.machines, one, 'machine').power = 'running';
    for (const one of there) need(draft.machines, one, 'machine').power = 'halted';
    for (const disk of draft.disks) if (disk.on === id) disk.on = '';
  },
  instruction: ({ project, site }, random) =>
    random.pick([
      `Scrap what is halted in ${site} of project ${project}.`,
      `${project} leaves ${site}. The machine there that is halted already can be scrapped.`,
      `In ${project}, one machine at ${site} has been halted. Scrap it and only it.`,
    ]),
  checks: ({ id }) => [{ name: 'it is scrapped', test: final => find(final.machines, id) === undefined }],
  allow: ({ id }) => [`/machines/${id}`],
});

const addressOf = template('address-of-disk', {
  about: 'Say the address of the machine that has a disk.',
  split: 'train',
  sample({ disks, projects, machines }, random) {
    const disk = random.pick(disks);
    const machine = random.pick(machines.filter(({ project }) => project === disk.project));
    return { disk: disk.id, label: disk.label, machine: machine.id, project: find(projects, disk.project)?.name ?? '' };
  },
  setup: (draft, { disk, machine }) => void (need(draft.disks, disk, 'disk').on = machine),
  instruction: ({ label, project }, random) =>
    random.pick([
      `Which address has the machine in ${project} that the disk ${label} is plugged into?`,
      `I need to log in where ${label} (project ${project}) is plugged in. What is the address?`,
      `${project}: address of the machine with the disk ${label}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ machine }, { machines }) => need(machines, machine, 'machine').address,
  shown: ({ ui }, { machine }) => ui.machine === machine && ui.box === '',
});

const replug = template('replug-disk', {
  about: 'Plug a disk that is in one machine into another.',
  split: 'train',
  sample({ disks, projects, machines }, random) {
    const disk = random.pick(disks);
    const [from, to] = random.sample(
      machines.filter(({ project }) => project === disk.project),
      2,
    );
    if (from === undefined || to === undefined) return null;
    const project = find(projects, disk.project)?.name ?? '';
    return {
      disk: disk.id,
      label: disk.label,
      from: from.id,
      fromName: from.name,
      to: to.id,
      toName: to.name,
      project,
    };
  },
  setup: (draft, { disk, from }) => void (need(draft.disks, disk, 'disk').on = from),
  instruction: ({ label, fromName, toName, project }, random) =>
    random.pick([
      `${project}: take ${label} out of ${fromName} and plug it into ${toName}.`,
      `The disk ${label} belongs into ${toName}, not ${fromName} (project ${project}).`,
      `Move disk ${label} in ${project} over to ${toName}. It has to be unplugged from ${fromName} first.`,
    ]),
  checks: ({ disk, from, to }) => [
    { name: 'it left the first machine', test: final => find(final.disks, disk)?.on !== from },
    { name: 'it is in the other machine', test: final => find(final.disks, disk)?.on === to },
  ],
  allow: ({ disk }) => [`/disks/${disk}/on`],
});

const moreCores = template('ask-for-cores', {
  about: 'Ask the quota team for more cores.',
  split: 'train',
  sample: ({ projects }, random) => {
    const { id, name } = random.pick(projects);
    const why = random.pick(['load test', 'new customers', 'nightly builds', 'training week']);
    return { id, project: name, cores: `${random.between(60, 200)}`, why };
  },
  instruction: ({ project, cores, why }, random) =>
    random.pick([
      `Ask for ${cores} cores for ${project}, reason: ${why}.`,
      `${project} hits its limit. Request ${cores} cores from the quota team and give "${why}" as the reason.`,
      `limit request / ${project} / ${cores} cores / ${why}`,
    ]),
  checks: ({ id, cores, why }) => [
    {
      name: 'one request was sent, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.requests, final.requests);
        return more.length === 0 && made?.project === id && made.cores === cores && made.why === why;
      },
    },
  ],
  allow: () => ['/requests/+'],
});

const hosts = ['web-1', 'web-2', 'db-main', 'db-copy', 'cache', 'batch', 'mail-in', 'mail-out'];

export const app = defineApp({
  id: 'nimbus-machines',
  title: 'Nimbus',
  about: 'Virtual machines of projects in a cloud, with disks, power and limits of cores.',
  state,
  init(random) {
    const projects = random
      .shuffle(['harbour', 'harbour-test', 'orchard', 'orchard-lab', 'signal'])
      .map((name, index) => ({ id: `p${index + 1}`, name, coreLimit: 64 }));
    const machines = projects.flatMap(({ id }) => random.sample(hosts, 5).map(name => ({ name, project: id })));
    const ends = random.sample(
      Array.from({ length: 240 }, (_, index) => index + 5),
      machines.length,
    );
    const disks = projects.flatMap(({ id }) =>
      random.sample(['logs', 'media', 'backup', 'archive'], 2).map(label => ({ label, project: id })),
    );
    return {
      projects,
      machines: machines.map((it, index) => ({
        id: `m${index + 1}`,
        ...it,
        site: random.pick(sites),
        size: random.pick(sizes).name,
        base: random.pick(bases),
        power: random.chance(0.6) ? 'running' : 'halted',
        address: `10.${random.between(1, 8)}.0.${ends[index]}`,
        guarded: random.chance(0.2),
      })),
      disks: disks.map((it, index) => ({ id: `d${index + 1}`, ...it, gigabytes: random.between(2, 40) * 10, on: '' })),
      requests: [],
      ui: { project: 'p1', drawer: 'machines', ...empty },
    };
  },
  commands: [build, power, resize, scrap, guard, plug, beg, inventory, goTo, inspect, popUp, put],
  view: cloud =>
    page('Nimbus', [
      cloud.ui.box === '' &&
        navigation(
          'Projects',
          cloud.projects.map(({ id, name }) =>
            link(name, goTo.with({ project: id, drawer: 'machines' }), cloud.ui.project === id ? ['selected'] : []),
          ),
        ),
      cloud.ui.trouble !== '' && alert(cloud.ui.trouble),
      cloud.ui.machine === '' ? projectView(cloud) : machineView(cloud),
    ]),
  templates: [haltIt, grow, growRunning, buildOne, scrapHalted, addressOf, replug, moreCores],
  onRefusal(draft, message) {
    Object.assign(draft.ui, { trouble: message, box: '' });
  },
});
