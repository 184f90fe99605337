import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Group {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** The list of pages in the README is the one of the site: a row in bold opens a group. */
function readGroups(): Group[] {
  const groups: Group[] = [];
  for (const line of readme.split('\n')) {
    const title = /^\| \*\*(.+)\*\*/.exec(line)?.[1];
    if (title !== undefined) groups.push({ text: title, items: [] });
    const [, text, link] = /^\| \[(.+?)\]\((docs\/[^)#]+)\.md\)/.exec(line) ?? [];
    if (text !== undefined && link !== undefined) groups.at(-1)?.items.push({ text, link: `/${link}` });
  }
  return groups;
}

const packages = join(import.meta.dirname, '..', 'node_modules');
const outDir = join(root, 'site');
const project = ['ARCHITECTURE', 'SPEC', 'SECURITY', 'CONTRIBUTING', 'CHANGELOG'];

export default {
  title: 'Espalier',
  description: 'Run, review, roll back and verify LLM agents in environments that fork.',
  srcDir: root,
  srcExclude: [
    'AGENTS.md',
    'examples/**',
    'scripts/**',
    'src/**/!(SPEC).md',
    'studies/**/!(SPEC).md',
    'test/fixtures/**',
  ],
  outDir,
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  // Pages link to examples, which lie beside them as they are.
  ignoreDeadLinks: [/\.ts$/],
  buildEnd: (): void => cpSync(join(root, 'examples'), join(outDir, 'examples'), { recursive: true }),
  // Pages lie outside of this package, and are compiled to modules that import Vue.
  vite: {
    resolve: { alias: { 'vue/server-renderer': join(packages, '@vue/server-renderer'), vue: join(packages, 'vue') } },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/docs/quick-start' },
      { text: 'Reference', link: '/docs/reference' },
    ],
    sidebar: [
      ...readGroups(),
      {
        text: 'Project',
        items: project.map(name => ({ text: name.charAt(0) + name.slice(1).toLowerCase(), link: `/${name}` })),
      },
    ],
  },
};
