import { placeIn, type Family } from '../../worlds/family.ts';

/** `terminal:all`, or some domains: `terminal:files`, `terminal:git+logs`. */
export const terminalFamily: Family = {
  name: 'terminal:',
  usage: 'terminal:<domains or all>',
  example: 'terminal:files',
  about: 'Tasks at a shell, in sandboxes that fork in milliseconds: files, git, logs and more.',
  async open(name) {
    const { createTerminalEnvironment } = await import('./environment.ts');
    const { selectTemplates } = await import('./domains/catalog.ts');
    const { admitTerminals } = await import('./ladder.ts');
    const { findSandboxes } = await import('./sandbox/find-sandboxes.ts');
    const place = placeIn(name);
    const templates = selectTemplates(place);
    const id = `terminal-${place === '*' ? 'all' : place.replaceAll('+', '-')}`;
    const environment = createTerminalEnvironment({ id, templates, sandboxes: findSandboxes });
    const named = (ids: readonly string[]) => templates.filter(template => ids.includes(template.id));
    const admit = (ids: readonly string[], seeds: number) => admitTerminals(findSandboxes, named(ids), seeds);
    return { environment, ladder: { admit } };
  },
};
