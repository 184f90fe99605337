const tags: Record<string, string> = {
  BUTTON: 'button',
  SUMMARY: 'button',
  SELECT: 'combobox',
  TEXTAREA: 'textbox',
  NAV: 'navigation',
  HEADER: 'banner',
  MAIN: 'region',
  ASIDE: 'region',
  FORM: 'form',
  UL: 'list',
  OL: 'list',
  LI: 'listitem',
  TABLE: 'table',
  TR: 'row',
  TD: 'cell',
  TH: 'cell',
  DIALOG: 'dialog',
  P: 'text',
};
const roles: Record<string, string> = {
  option: 'menuitem',
  menuitemcheckbox: 'menuitem',
  menuitemradio: 'menuitem',
  menubar: 'menu',
  listbox: 'list',
  tree: 'list',
  treeitem: 'listitem',
  grid: 'table',
  treegrid: 'table',
  gridcell: 'cell',
  columnheader: 'cell',
  rowheader: 'cell',
  slider: 'textbox',
  spinbutton: 'textbox',
  searchbox: 'textbox',
  main: 'region',
  article: 'region',
  group: 'region',
  tabpanel: 'region',
  complementary: 'region',
  contentinfo: 'region',
  tablist: 'toolbar',
  alertdialog: 'dialog',
  paragraph: 'text',
  tooltip: 'status',
  log: 'status',
};
const known = new Set([
  ...Object.values(tags),
  ...Object.values(roles),
  ...'toolbar search menu heading alert status tab checkbox radio switch link'.split(' '),
]);

/** The role of an element, in the words that screens of ours have. */
export function roleOf(element: Element): string | null {
  const given = element.getAttribute('role')?.split(' ', 1)[0];
  if (given === 'none' || given === 'presentation' || given === 'generic') return null;
  const role = given === undefined ? undefined : (roles[given] ?? given);
  if (role !== undefined && known.has(role)) return role;
  const { tagName } = element;
  if (tagName === 'INPUT') return inputRole((element as HTMLInputElement).type);
  if (tagName === 'A') return element.hasAttribute('href') ? 'link' : null;
  if (/^H[1-6]$/.test(tagName)) return 'heading';
  if (tagName === 'SECTION') return element.hasAttribute('aria-label') ? 'region' : null;
  return tags[tagName] ?? ((element as HTMLElement).isContentEditable && isEditingHost(element) ? 'textbox' : null);
}

function inputRole(type: string): string | null {
  if (type === 'hidden') return null;
  if (type === 'checkbox' || type === 'radio') return type;
  return ['button', 'submit', 'reset', 'image', 'file'].includes(type) ? 'button' : 'textbox';
}

function isEditingHost(element: Element): boolean {
  return (element.parentElement as HTMLElement | null)?.isContentEditable !== true;
}
