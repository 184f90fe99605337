import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/** Takes packages from the folder that they were installed in. Types are not installed with them: each user says what it needs. */
function importFrom(modules: string): <T>(name: string) => Promise<T> {
  const require = createRequire(join(modules, 'package.json'));
  return async name => {
    const found = await import(pathToFileURL(require.resolve(name)).href);
    // Names of older modules are members of their default.
    return typeof found.default === 'object' ? { ...found.default, ...found } : found;
  };
}

interface SvelteCompiler {
  compile(source: string, options: object): { js: { code: string }; css: { code: string } | null };
  compileModule(source: string, options: object): { js: { code: string } };
}

interface VueCompiler {
  parse(source: string, options: object): { descriptor: VueDescriptor };
  compileScript(descriptor: VueDescriptor, options: object): { content: string };
}

interface VueDescriptor {
  readonly styles: readonly { readonly content: string }[];
}

interface Babel {
  transformAsync(source: string, options: object): Promise<{ code: string }>;
}

/** Style sheets that modules import or hold, one after the other. */
export type Styles = Map<string, string>;

export function styleSheets(styles: Styles): Plugin {
  return {
    name: 'style-sheets',
    transform: {
      filter: { id: /\.css$/ },
      handler(code, id) {
        styles.set(id, code);
        return { code: 'export {}', moduleType: 'js' };
      },
    },
  };
}

export async function svelte(modules: string, styles: Styles): Promise<Plugin> {
  const { compile, compileModule } = await importFrom(modules)<SvelteCompiler>('svelte/compiler');
  return {
    name: 'svelte',
    transform: {
      filter: { id: /\.svelte(\.js)?$/ },
      handler(source, id) {
        const options = { filename: id, generate: 'client', dev: false };
        if (id.endsWith('.js')) return { code: compileModule(source, options).js.code, moduleType: 'js' };
        const { js, css } = compile(source, { ...options, css: 'external' });
        if (css !== null) styles.set(id, css.code);
        return { code: js.code, moduleType: 'js' };
      },
    },
  };
}

export async function vue(modules: string, styles: Styles): Promise<Plugin> {
  const { parse, compileScript } = await importFrom(modules)<VueCompiler>('vue/compiler-sfc');
  return {
    name: 'vue',
    transform: {
      filter: { id: /\.vue$/ },
      handler(source, id) {
        const { descriptor } = parse(source, { filename: id });
        styles.set(id, descriptor.styles.map(({ content }) => content).join('\n'));
        const { content } = compileScript(descriptor, { id, inlineTemplate: true, isProd: true });
        return { code: content, moduleType: 'js' };
      },
    },
  };
}

export async function solid(modules: string): Promise<Plugin> {
  const from = importFrom(modules);
  const [{ transformAsync }, { default: preset }] = await Promise.all([
    from<Babel>('@babel/core'),
    from<{ default: unknown }>('babel-preset-solid'),
  ]);
  return {
    name: 'solid',
    transform: {
      filter: { id: /\.jsx$/ },
      async handler(source, id) {
        const options = { filename: id, presets: [preset], babelrc: false, configFile: false };
        return { code: (await transformAsync(source, options)).code, moduleType: 'js' };
      },
    },
  };
}

/** Angular's libraries are published half compiled: its linker does the rest. */
export async function angularLinker(modules: string): Promise<Plugin> {
  const from = importFrom(modules);
  const [{ transformAsync }, { createEs2015LinkerPlugin }, { NodeJSFileSystem, ConsoleLogger, LogLevel }] =
    await Promise.all([
      from<Babel>('@babel/core'),
      from<{ createEs2015LinkerPlugin(options: object): unknown }>('@angular/compiler-cli/linker/babel'),
      from<AngularFiles>('@angular/compiler-cli'),
    ]);
  const linker = createEs2015LinkerPlugin({
    fileSystem: new NodeJSFileSystem(),
    logger: new ConsoleLogger(LogLevel.error),
    linkerJitMode: false,
  });
  return {
    name: 'angular-linker',
    transform: {
      filter: { id: /@angular\/.*\.mjs$/, code: /ɵɵngDeclare/ },
      async handler(source, id) {
        const options = { filename: id, plugins: [linker], babelrc: false, configFile: false, compact: false };
        return (await transformAsync(source, options)).code;
      },
    },
  };
}

interface AngularFiles {
  readonly NodeJSFileSystem: new () => unknown;
  readonly ConsoleLogger: new (level: number) => unknown;
  readonly LogLevel: { readonly error: number };
}

interface AngularCompiler {
  performCompilation(given: object): { diagnostics: readonly object[] };
  formatDiagnostics(found: readonly object[]): string;
}

/** Compiles the TypeScript of an Angular app ahead of time, as `ng build` does. */
export async function compileAngular(modules: string, entry: string, outDir: string): Promise<void> {
  const { performCompilation, formatDiagnostics } = await importFrom(modules)<AngularCompiler>('@angular/compiler-cli');
  // The numbers are TypeScript's: ES2022 modules, resolved as bundlers do.
  const types = { target: 9, module: 7, moduleResolution: 100, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], types: [] };
  const options = { ...types, outDir, strict: true, skipLibCheck: true, compilationMode: 'full' };
  const { diagnostics } = performCompilation({ rootNames: [entry], options });
  if (diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
}
