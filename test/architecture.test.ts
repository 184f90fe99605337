import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placesBeside } from '../src/cli/beside/programs.ts';

const root = dirname(import.meta.dirname);

/** What a run is put together from. */
const belowRuns = [
  'core',
  'worlds',
  'models',
  'agents',
  'episode',
  'memory',
  'store',
  'modules',
  'analysis',
  'dataset',
  'envs',
  'forge',
  'catalog.ts',
];

/** Who may import whom: rooms of ours first, packages of others second. What is not listed is forbidden. */
const layers: Record<string, { ours: string[]; others: string[] }> = {
  core: { ours: [], others: ['zod', '@noble/hashes'] },
  worlds: { ours: ['core'], others: ['zod', 'mutative'] },
  models: { ours: ['core'], others: ['zod', 'node:'] },
  agents: {
    ours: ['core', 'models'],
    others: ['tinyqueue', 'zod', '@huggingface/tokenizers', 'onnxruntime-node', 'node:'],
  },
  episode: { ours: ['core'], others: ['zod'] },
  memory: { ours: ['core'], others: ['minisearch', 'zod'] },
  store: { ours: ['core'], others: ['pg', 's3mini', 'node:'] },
  modules: { ours: ['core'], others: ['node:'] },
  analysis: { ours: ['core'], others: ['zod'] },
  dataset: {
    ours: ['core', 'analysis', 'models'],
    others: ['zod', 'hyparquet-writer', 'fflate', '@huggingface/jinja', '@huggingface/tokenizers', 'node:'],
  },
  envs: {
    // A name may hold the path of a module of the user's.
    ours: ['core', 'worlds', 'modules'],
    others: [
      'acorn',
      'rolldown',
      'smol-toml',
      'yaml',
      'zod',
      '@modelcontextprotocol/client',
      '@xterm/headless',
      'e2b',
      'node:',
    ],
  },
  // Forged tasks may lie in a folder, and their app in a module of the user's.
  forge: { ours: ['core', 'worlds', 'modules'], others: ['node:'] },
  'catalog.ts': { ours: ['core', 'worlds', 'envs', 'forge'], others: [] },
  runs: { ours: belowRuns, others: ['zod', 'yaml', 'node:'] },
  serve: {
    ours: ['core', 'worlds', 'models', 'agents', 'episode', 'store', 'dataset', 'runs'],
    others: ['zod', '@modelcontextprotocol/server', '@msgpack/msgpack', 'ws', 'zeromq', 'node:'],
  },
  studio: {
    ours: [...belowRuns, 'runs', 'serve'],
    others: ['zod', 'rolldown', 'preact', '@tanstack/virtual-core', 'node:'],
  },
  system: { ours: ['core', 'worlds', 'episode', 'runs', 'serve'], others: ['node:'] },
  // Many machines: controllers and workers that meet in a database.
  fleet: { ours: ['core', 'worlds', 'episode', 'store', 'runs'], others: ['pg', 'graphile-worker', 'node:'] },
  library: { ours: [...belowRuns, 'runs', 'system'], others: ['node:'] },
  'index.ts': { ours: [...belowRuns, 'library', 'runs', 'serve'], others: ['zod'] },
  'testing.ts': { ours: ['core', 'worlds', 'agents', 'episode', 'forge', 'memory'], others: [] },
  cli: {
    ours: [...belowRuns, 'runs', 'fleet', 'serve', 'studio', 'system', 'index.ts', 'testing.ts'],
    others: ['commander', 'picocolors', 'smol-toml', 'zod', 'node:'],
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
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
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

/** The parts of a room are its folders; its own files are one part more. */
function partOf(path: string): string {
  const [, room, part] = path.split('/');
  return path.split('/').length > 3 ? `${room}/${part}` : `${room}/*.ts`;
}

/** Nodes that lead back to themselves. */
function knotsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string): Set<string> => {
    const found = new Set<string>();
    const queue = [...(graph.get(from) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      queue.push(...(graph.get(next) ?? []));
    }
    return found;
  };
  return [...graph.keys()].filter(part => reached(part).has(part));
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

  it('has figures that know nothing of the command line, and one file that knows what lies beside the package', () => {
    const figures = [...readSources('bench'), ...readSources('test/adversarial')].filter(
      ({ path }) => !path.endsWith('.test.ts'),
    );
    const wrong = figures.flatMap(({ path, imports }) =>
      imports.filter(name => resolve(path, name).startsWith('src/cli/')).map(name => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
    const beside = /['"`](?:\.\.\/)*(?:bench|studies|test\/adversarial)\//;
    expect(sources.filter(({ text }) => beside.test(text)).map(({ path }) => path)).toEqual([
      'src/cli/beside/programs.ts',
    ]);
    for (const place of Object.values(placesBeside)) expect(existsSync(join(root, place))).toBe(true);
  });

  it('imports in one direction between the parts of a room', () => {
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of sources)
      for (const specifier of imports.filter(name => name.startsWith('.'))) {
        const target = resolve(path, specifier);
        if (layerOf(target) !== layerOf(path) || partOf(target) === partOf(path)) continue;
        graph.set(partOf(path), (graph.get(partOf(path)) ?? new Set()).add(partOf(target)));
      }
    expect(knotsOf(graph)).toEqual([]);
  });

  it('has protocols that know nothing of each other', () => {
    const codecs: ReadonlySet<string> = new Set(
      ['mcp', 'nemo-gym', 'openenv', 'policy', 'proxy', 'rollouts', 'verifiers'].map(name => `serve/${name}`),
    );
    const wrong = sources
      .filter(({ path }) => codecs.has(partOf(path)))
      .flatMap(({ path, imports }) =>
        imports
          .filter(name => name.startsWith('.'))
          .map(name => partOf(resolve(path, name)))
          .filter(part => part !== partOf(path) && codecs.has(part))
          .map(part => `${path} imports ${part}`),
      );
    expect(wrong).toEqual([]);
  });

  it('has a page of the studio that takes only types and pure code from the rest', () => {
    const mayImport =
      /^(src\/studio\/(page|api)\/|src\/core\/|src\/runs\/agents\/reviews\/api-reviews\.ts$|src\/analysis\/report\/figures\/lanes\.ts$|preact$|preact\/hooks$|@tanstack\/virtual-core$)/;
    const page = sources.filter(({ path }) => partOf(path) === 'studio/page');
    const wrong = page.flatMap(({ path, imports }) =>
      imports
        .map(name => (name.startsWith('.') ? resolve(path, name) : name))
        .filter(found => !mayImport.test(found))
        .map(found => `${path} imports ${found}`),
    );
    expect(page.length).toBeGreaterThan(10);
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

  it('keeps files small, and names plain', () => {
    const all = [
      ...readSources('src'),
      ...readSources('test'),
      ...readSources('studies'),
      ...readSources('bench'),
      ...readSources('examples'),
    ];
    const wrong: string[] = [];
    for (const { path, text } of all) {
      if (text.split('\n').length > 401) wrong.push(`${path} has more than 400 lines`);
      const parts = path.split('/');
      const name = parts.at(-1) as string;
      if (parts.length > 6) wrong.push(`${path} lies deeper than five folders`);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(name)) wrong.push(`${path} is not in kebab-case`);
      if (/^(utils?|helpers?|common|misc)\b/.test(name)) wrong.push(`${path} is named after nothing`);
      if (name === 'index.ts' && path !== 'src/index.ts') wrong.push(`${path}: there is one index.ts`);
    }
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
      const isExempt = ambientLayers.has(layerOf(path)) || /^src\/(envs\/web\/page-program|studio\/page)\//.test(path);
      if (!isExempt && ambient.test(bare)) wrong.push(`${path} reads ${ambient.exec(bare)?.[0]}`);
    }
    expect(wrong).toEqual([]);
  });
});
