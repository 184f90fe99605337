import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type InputOptions, type Plugin } from 'rolldown';
import { triedApps } from './apps.ts';
import { angularLinker, compileAngular, solid, styleSheets, svelte, vue, type Styles } from './compilers.ts';
import { hashOf, installed, makeOnce } from './install.ts';

const here = import.meta.dirname;

/** The folder of a built app: index.html and what it loads. Installs the frameworks first where that was not done. */
export async function builtApp(name: string): Promise<string> {
  const source = join(here, name === 'next' ? 'next' : `apps/${name}`);
  const builders = ['build.ts', 'compilers.ts', 'install.ts', 'style.css', 'package-lock.json'];
  const hash = hashOf(...builders.map(file => readFileSync(join(here, file))), ...textsIn(source));
  return makeOnce(`app-${name}`, hash, async partial => {
    if (name === 'next') await buildNext(source, partial);
    else await buildApp(name, { source, out: partial });
  });
}

function textsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return names
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .flatMap(path => [path.slice(folder.length), readFileSync(path, 'utf8')]);
}

interface Places {
  readonly source: string;
  readonly out: string;
}

async function buildApp(name: string, { source, out }: Places): Promise<void> {
  const modules = await installed(here);
  // Packages are found from where the sources lie.
  const work = join(modules, `work-${name}-${process.pid}`);
  cpSync(source, work, { recursive: true });
  try {
    const styles: Styles = new Map([['base', readFileSync(join(here, 'style.css'), 'utf8')]]);
    await bundle(await inputOf({ name, work, modules, styles }), out);
    writeFileSync(join(out, 'style.css'), [...styles.values()].join('\n'));
    writeFileSync(join(out, 'index.html'), pageOf(name));
    if (existsSync(join(work, 'public'))) cpSync(join(work, 'public'), out, { recursive: true });
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function bundle(input: InputOptions, dir: string): Promise<void> {
  const build = await rolldown(input);
  // As people deploy it: minified, parts that are loaded late in files of their own.
  await build.write({
    dir,
    format: 'esm',
    entryFileNames: 'main.js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  });
  await build.close();
}

interface Sources {
  readonly name: string;
  readonly work: string;
  readonly modules: string;
  readonly styles: Styles;
}

async function inputOf({ name, work, modules, styles }: Sources): Promise<InputOptions> {
  const plugins: Plugin[] = [styleSheets(styles)];
  let entry = readdirSync(work).find(file => file.startsWith('main.')) as string;
  if (name === 'svelte') plugins.push(await svelte(modules, styles));
  if (name === 'vue') plugins.push(await vue(modules, styles));
  if (name === 'solid') plugins.push(await solid(modules));
  if (name === 'angular') {
    plugins.push(await angularLinker(modules));
    await compileAngular(modules, join(work, entry), work);
    entry = 'main.js';
  }
  const old = { react: 'react-18', 'react-dom': 'react-dom-18' };
  return {
    input: join(work, entry),
    cwd: work,
    platform: 'browser',
    logLevel: 'silent',
    plugins,
    ...(name === 'react-18' ? { resolve: { alias: old } } : {}),
    transform: {
      define: constants,
      jsx: { runtime: 'automatic', importSource: name === 'preact' ? 'preact' : 'react' },
    },
  };
}

/** What bundlers set for a build that is deployed. */
const constants = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'false',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  ngDevMode: 'false',
  ngJitMode: 'false',
};

function pageOf(name: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name}</title>
    <link rel="stylesheet" href="/style.css" />
    <script type="module" crossorigin src="/main.js"></script>
  </head>
  <body>
    ${name === 'angular' ? '<app-root></app-root>' : '<div id="root"></div>'}
  </body>
</html>
`;
}

/** Next builds itself, as a static export. */
async function buildNext(source: string, out: string): Promise<void> {
  const modules = await installed(source);
  const work = join(modules, `work-${process.pid}`);
  cpSync(source, work, { recursive: true });
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(modules, 'node_modules/next/dist/bin/next'), 'build'],
      { cwd: work, encoding: 'utf8', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' } },
    );
    if (status !== 0) throw new Error(`next build failed: ${stdout}${stderr}`);
    cpSync(join(work, 'out'), out, { recursive: true });
  } finally {
    rmSync(work, { recursive: true });
  }
}

// Run by `npm test` before the tests, which then need no registry.
if (import.meta.main) for (const { name } of triedApps) await builtApp(name);
