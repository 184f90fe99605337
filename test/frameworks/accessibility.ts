import type { Page } from '../../src/envs/web/browser/page.ts';

/** An element as an accessibility tree has it: a role in the words of our screens, and a name. */
export interface Accessible {
  readonly role: string;
  readonly name: string;
}

/** Words of the browser for which screens of ours have another one. */
const words: Readonly<Record<string, string>> = {
  searchbox: 'textbox',
  spinbutton: 'textbox',
  slider: 'textbox',
  DisclosureTriangle: 'button',
  img: 'image',
  option: 'menuitem',
  menuitemcheckbox: 'menuitem',
  menuitemradio: 'menuitem',
  columnheader: 'cell',
  rowheader: 'cell',
  gridcell: 'cell',
  grid: 'table',
  tree: 'list',
  listbox: 'list',
  treeitem: 'listitem',
  main: 'region',
  complementary: 'region',
  contentinfo: 'region',
  article: 'region',
  group: 'region',
  radiogroup: 'region',
  tabpanel: 'region',
  tablist: 'toolbar',
  alertdialog: 'dialog',
  // A table of one cell is taken for layout.
  LayoutTable: 'table',
  LayoutTableRow: 'row',
  LayoutTableCell: 'cell',
};
/** Roles whose names come from their content or their label, in both trees. */
const named: ReadonlySet<string> = new Set(
  'button link textbox combobox checkbox radio switch heading tab menuitem cell image'.split(' '),
);
const controls: ReadonlySet<string> = new Set('button link textbox searchbox combobox checkbox radio'.split(' '));
/** Roles that group others. Screens of ours name what has a label. */
const grouping: ReadonlySet<string> = new Set(
  'navigation banner region form list listitem table row dialog toolbar search menu alert status'.split(' '),
);

/** Left out of both trees while they say nothing, as what the browser shows beside a field that is not valid. */
const news: ReadonlySet<string> = new Set(['alert', 'status']);

interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly childIds?: readonly string[];
}

/** What the browser itself tells assistive technology. */
export async function readBrowserTree(page: Page): Promise<readonly Accessible[]> {
  await page.send('Accessibility.enable');
  const { nodes } = await page.send<{ nodes: readonly AxNode[] }>('Accessibility.getFullAXTree');
  await page.send('Accessibility.disable');
  const known = new Map(nodes.map(node => [node.nodeId, node]));
  const found: Accessible[] = [];
  const visit = (id: string): void => {
    const node = known.get(id);
    if (node === undefined) return;
    const said = node.role?.value ?? '';
    const role = words[said] ?? said;
    // A cell that holds controls is told by what it holds.
    const isTold = role === 'cell' ? !holdsControl(node) : !news.has(role) || holdsSomething(node);
    if (!node.ignored && isTold && (named.has(role) || grouping.has(role)))
      found.push({ role, name: nameIn(node, role) });
    // The choices of a list stand in its line, and so does what an editor holds.
    if (role !== 'combobox' && role !== 'textbox') for (const child of node.childIds ?? []) visit(child);
  };
  const holdsSomething = ({ childIds = [] }: AxNode): boolean =>
    childIds.some(id => {
      const child = known.get(id);
      return child !== undefined && (!child.ignored || holdsSomething(child));
    });
  const holdsControl = ({ childIds = [] }: AxNode): boolean =>
    childIds.some(id => {
      const child = known.get(id);
      return child !== undefined && (controls.has(child.role?.value ?? '') || holdsControl(child));
    });
  const [root] = nodes;
  if (root !== undefined) visit(root.nodeId);
  return found;
}

function nameIn({ name, description }: AxNode, role: string): string {
  const said = plain(name?.value ?? '');
  if (!named.has(role)) return '';
  // Where a button shows a sign alone, screens of ours say what its title does.
  const more = plain(description?.value ?? '');
  return role === 'button' && more !== '' && !/[\p{L}\p{N}]{2}/u.test(said) ? plain(`${said} ${more}`) : said;
}

/** The same from a screen of ours. */
export function readScreen(text: string): readonly Accessible[] {
  return text.split('\n').flatMap((line, at, lines) => {
    const [, role = '', name = ''] =
      /^ +(?:\[e\d+\] )?([a-z]+)(?: "(.*?)")?(?:: .*?)?(?: \{.*\})?(?: \([a-z]+\))*$/.exec(line) ?? [];
    if (!named.has(role) && !grouping.has(role)) return [];
    if (news.has(role) && name === '' && indentOf(lines[at + 1] ?? '') <= indentOf(line)) return [];
    return [{ role, name: named.has(role) ? plain(name) : '' }];
  });
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function plain(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

/** What one tree has and the other has not, each as often. A picture that hears clicks is a button on the screen. */
export function disagreements(browser: readonly Accessible[], screen: readonly Accessible[]): readonly string[] {
  const pictures = new Set(browser.filter(({ role }) => role === 'image').map(({ name }) => name));
  const key = ({ role, name }: Accessible): string => (named.has(role) ? `${role} "${name}"` : role);
  const counts = new Map<string, number>();
  for (const each of browser) if (each.role !== 'image') counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  for (const each of screen) {
    const isPicture = each.role === 'button' && pictures.has(each.name);
    if (!isPicture) counts.set(key(each), (counts.get(key(each)) ?? 0) - 1);
  }
  return [...counts].flatMap(([what, count]) =>
    Array.from({ length: Math.abs(count) }, () => `${what} only ${count > 0 ? 'in the browser' : 'on the screen'}`),
  );
}
