import { unknownEnvironment } from '../../core/errors.ts';
import { placeIn, type Family } from '../../worlds/family.ts';

/** `terminal:all`, or some domains: `terminal:files`, `terminal:git+logs`; `terminal:vm/files` in virtual machines, `terminal:e2b/files` at a server. */
export const terminalFamily: Family = {
  name: 'terminal:',
  usage: 'terminal:<domains or all>',
  example: 'terminal:files',
  isPlanned: false,
  about: 'Tasks at a shell, in sandboxes that fork in milliseconds: files, git, logs and more.',
  async open(name) {
    const { createTerminalEnvironment } = await import('./environment.ts');
    const { selectTemplates } = await import('./domains/catalog.ts');
    const { admitTerminals } = await import('./ladder.ts');
    const { findSandboxes } = await import('./sandbox/find-sandboxes.ts');
    const { backend, place, id, options } = readName(name);
    const templates = selectTemplates(place);
    if (backend === 'vm') {
      const { createMachineEnvironment } = await import('./machine/machine-environment.ts');
      const { findMachines } = await import('./machine/find-machines.ts');
      return { environment: createMachineEnvironment({ id, templates, machines: findMachines }) };
    }
    if (backend === 'e2b') {
      const { createLiveEnvironment } = await import('./machine/machine-environment.ts');
      const { hostOf } = await import('./remote/remote-world.ts');
      const { openE2b } = await import('./remote/e2b.ts');
      return {
        environment: createLiveEnvironment({ id, templates, host: async () => hostOf(await openE2b(options)) }),
      };
    }
    const clock = options['clock'] === undefined ? undefined : (await import('./world/clock.ts')).findClock();
    const environment = createTerminalEnvironment({ id, templates, sandboxes: findSandboxes, clock });
    const named = (ids: readonly string[]) => templates.filter(template => ids.includes(template.id));
    const admit = (ids: readonly string[], seeds: number) =>
      admitTerminals(findSandboxes, named(ids), { seeds, clock });
    return { environment, ladder: { admit } };
  },
};

const backends = ['vm', 'e2b'] as const;

interface TerminalName {
  /** Empty for sandboxes of this machine. */
  readonly backend: string;
  readonly place: string;
  /** Of the environment. */
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Takes `terminal:files+git,clock=pinned` and `terminal:e2b/files,template=debian` apart. */
function readName(name: string): TerminalName {
  const [whole = '', ...rest] = placeIn(name).split(',');
  const backend = backends.find(each => whole.startsWith(`${each}/`)) ?? '';
  const known = backend === 'e2b' ? /^template=./ : /^clock=pinned$/;
  const wrong = rest.find(option => backend === 'vm' || !known.test(option));
  if (wrong !== undefined)
    throw unknownEnvironment(
      `"${name}" has an option that is not known: ${wrong}.`,
      'Expected domains, such as terminal:files or terminal:files+git; terminal:files,clock=pinned; at a server, terminal:e2b/files,template=<name>.',
    );
  const options = Object.fromEntries(rest.map(option => option.split('=') as [string, string]));
  const named = backend === '' ? whole : whole.slice(backend.length + 1);
  const domains = named === '*' ? 'all' : named.replaceAll('+', '-');
  const parts = ['terminal', backend, domains, options['clock'] ?? ''].filter(part => part !== '');
  return { backend, place: named, id: parts.join('-'), options };
}
