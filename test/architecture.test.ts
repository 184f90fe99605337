import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);

/** What a run is put together from. */
const belowRuns = [
  'core',
  'kernel',
  'dialects',
  'prompt',
  'policies',
  'verifiers',
  'episode',
  'rollout',
  'store',
  'analysis',
  'dataset',
  'envs',
  'forge',
  'server',
];

/** Who may import whom: layers of ours first, packages of others second. What is not listed is forbidden. */
const layers: Record<string, { ours: string[]; others: string[] }> = {
  core: { ours: [], others: ['zod', '@noble/hashes'] },
  kernel: { ours: ['core'], others: ['zod', 'mutative'] },
  dialects: { ours: ['core'], others: ['zod'] },
  prompt: { ours: ['core'], others: ['node:'] },
  policies: { ours: ['core', 'dialects', 'prompt'], others: ['tinyqueue', 'zod', 'node:'] },
  verifiers: { ours: ['core'], others: ['zod'] },
  episode: { ours: ['core'], others: [] },
  rollout: { ours: ['core', 'episode'], others: ['zod'] },
  store: { ours: ['core'], others: ['node:'] },
  analysis: { ours: ['core'], others: ['zod'] },
  dataset: { ours: ['core', 'analysis', 'dialects', 'prompt'], others: ['zod', 'hyparquet-writer', 'fflate', 'node:'] },
  envs: {
    ours: ['core', 'kernel'],
    others: ['acorn', 'rolldown', 'smol-toml', 'zod', '@modelcontextprotocol/client', 'node:'],
  },
  forge: { ours: ['core', 'kernel'], others: [] },
  server: {
    ours: ['core', 'dialects', 'prompt', 'episode'],
    others: ['zod', '@modelcontextprotocol/server', '@msgpack/msgpack', 'rolldown', 'ws', 'zeromq', 'node:'],
  },
  'catalog.ts': { ours: ['core', 'kernel', 'envs'], others: [] },
  runs: { ours: [...belowRuns, 'catalog.ts'], others: ['zod', 'node:'] },
  system: { ours: ['core', 'kernel', 'episode', 'rollout', 'runs'], others: ['node:'] },
  library: { ours: [...belowRuns, 'catalog.ts', 'runs', 'system'], others: ['node:'] },
  'index.ts': { ours: [...belowRuns, 'catalog.ts', 'library', 'runs'], others: ['zod'] },
  'testing.ts': { ours: ['core', 'kernel', 'forge'], others: [] },
  cli: {
    ours: [...belowRuns, 'catalog.ts', 'runs', 'system', 'index.ts', 'testing.ts'],
    others: ['commander', 'picocolors', 'zod', 'node:'],
  },
};

/** Where the clock, the environment and the console may be read. */
const ambientLayers: ReadonlySet<string> = new Set(['cli', 'system']);

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Static and dynamic imports; template literals are left out before, as they may hold code to be written. */
const importPattern = /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm;

const sources = readSources('src').filter(({ path }) => !path.endsWith('.test.ts'));

function readSources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => {
      const full = join(entry.parentPath, entry.name);
      const text = readFileSync(full, 'utf8');
      const imports = [...text.replaceAll(/`[^`]*`/g, '').matchAll(importPattern)].map(
        match => (match[1] ?? match[2] ?? match[3]) as string,
      );
      return { path: relative(root, full).split(sep).join('/'), text, imports };
    });
}

function layerOf(path: string): string {
  const [top, second] = path.split('/');
  return top === 'src' ? (second as string) : (top as string);
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:])\/\/.*$/gm, '$1');
}

describe('architecture', () => {
  it('imports only in the agreed direction', () => {
    const wrong: string[] = [];
    for (const { path, imports } of sources) {
      const layer = layerOf(path);
      const rule = layers[layer];
      if (rule === undefined) {
        wrong.push(`${path}: "${layer}" is not a layer; add it to the table with what it may import`);
        continue;
      }
      for (const specifier of imports) {
        if (specifier.startsWith('.')) {
          const target = layerOf(resolve(path, specifier));
          // The verb `bench` loads the figures when it is asked for; nothing else of the product knows them.
          if (path === 'src/cli/bench.ts' && specifier === '../../bench/run.ts') continue;
          if (target !== layer && !rule.ours.includes(target)) wrong.push(`${path} imports ${target}`);
        } else if (
          !rule.others.some(name => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`))
        ) {
          wrong.push(`${path} imports ${specifier}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has figures that know nothing of the command line, which loads them when they are asked for', () => {
    const figures = readSources('bench').filter(({ path }) => !path.endsWith('.test.ts'));
    const wrong = figures.flatMap(({ path, imports }) =>
      imports.filter(name => resolve(path, name).startsWith('src/cli/')).map(name => `${path} imports ${name}`),
    );
    const verb = sources.find(({ path }) => path === 'src/cli/bench.ts');
    expect(wrong).toEqual([]);
    expect(verb?.text).toContain("await import('../../bench/run.ts')");
    expect(verb?.text).not.toMatch(/from '[./]*bench\//);
  });

  it('has a studio that takes only types and pure code from the rest', () => {
    const folder = join(root, 'studio');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
    const wrong = files.flatMap(name => {
      const text = readFileSync(join(folder, name), 'utf8');
      const imports = [...text.matchAll(importPattern)].map(match => (match[1] ?? match[2] ?? match[3]) as string);
      return imports
        .map(found => (found.startsWith('.') ? resolve(`studio/${name}`, found) : found))
        .filter(
          found =>
            !/^(studio\/|src\/core\/|src\/server\/studio\/api(-[a-z]+)?\.ts$|src\/analysis\/report\/figures\/lanes\.ts$|preact$|preact\/hooks$|@tanstack\/virtual-core$)/.test(
              found,
            ),
        )
        .map(found => `studio/${name} imports ${found}`);
    });
    expect(files.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it('has no import cycles', () => {
    const graph = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.filter(name => name.startsWith('.')).map(name => resolve(path, name)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('keeps files, folders and names small and plain', () => {
    const all = [...readSources('src'), ...readSources('test'), ...readSources('bench'), ...readSources('examples')];
    const wrong: string[] = [];
    const folders = new Map<string, number>();
    for (const { path, text } of all) {
      if (text.split('\n').length > 401) wrong.push(`${path} has more than 400 lines`);
      const parts = path.split('/');
      const name = parts.at(-1) as string;
      if (parts.length > 5) wrong.push(`${path} lies deeper than four folders`);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(name)) wrong.push(`${path} is not in kebab-case`);
      if (/^(utils?|helpers?|common|misc)\b/.test(name)) wrong.push(`${path} is named after nothing`);
      if (name === 'index.ts' && path !== 'src/index.ts') wrong.push(`${path}: there is one index.ts`);
      const folder = dirname(path);
      if (!name.endsWith('.test.ts')) folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
    for (const [folder, count] of folders) if (count > 15) wrong.push(`${folder} has ${count} files, more than 15`);
    expect(wrong).toEqual([]);
  });

  it('has no barrel, default export, enum, mutable module or ambient input outside the command line and its adapters', () => {
    const wrong: string[] = [];
    const rules: [RegExp, string][] = [
      [/^export \*/m, 'export *'],
      [/^export default/m, 'a default export'],
      [/^(export )?(const )?enum /m, 'an enum'],
      [/^(export )?(let|var) /m, 'a mutable module variable'],
      [
        /^(export )?const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)(<[^;]*>)?\(\)|\[\]|\{\});/m,
        'a container to be filled later',
      ],
      [/^export (abstract )?class (?!\w+ extends (Error|EspalierError))/m, 'a class that is not an error'],
    ];
    const ambient = /\b(Date\.now|new Date\(\)|Math\.random|performance\.|process\.|console\.)/;
    for (const { path, text } of sources) {
      const bare = code(text);
      for (const [pattern, what] of rules) if (pattern.test(bare)) wrong.push(`${path} has ${what}`);
      // What runs in a page gives the page its clock: there is no other place for it.
      const isExempt = ambientLayers.has(layerOf(path)) || /^src\/envs\/web\/page(-shims|-state)?\//.test(path);
      if (!isExempt && ambient.test(bare)) wrong.push(`${path} reads ${ambient.exec(bare)?.[0]}`);
    }
    expect(wrong).toEqual([]);
  });
});
