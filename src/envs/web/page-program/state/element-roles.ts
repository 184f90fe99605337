const tags: Record<string, string> = {
  BUTTON: 'button',
  SUMMARY: 'button',
  SELECT: 'combobox',
  TEXTAREA: 'textbox',
  NAV: 'navigation',
  HEADER: 'banner',
  MAIN: 'region',
  ASIDE: 'region',
  ARTICLE: 'region',
  FOOTER: 'region',
  FIELDSET: 'region',
  SEARCH: 'search',
  OUTPUT: 'status',
  FORM: 'form',
  UL: 'list',
  OL: 'list',
  MENU: 'list',
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
  radiogroup: 'region',
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

const plain: ReadonlySet<string> = new Set(['none', 'presentation', 'generic']);
/** Where these stand, a header or a footer belongs to them and not to the page. */
const sections = 'article,aside,main,nav,section';

/** The role of an element, in the words that screens of ours have. */
export function roleOf(element: Element): string | null {
  // The first that is known counts.
  for (const given of element.getAttribute('role')?.trim().split(/\s+/) ?? []) {
    if (plain.has(given)) return null;
    const role = roles[given] ?? given;
    if (known.has(role)) return role;
  }
  const { tagName } = element;
  if (tagName === 'INPUT') return inputRole((element as HTMLInputElement).type);
  if (tagName === 'A') return element.hasAttribute('href') ? 'link' : null;
  if (/^H[1-6]$/.test(tagName)) return 'heading';
  if (tagName === 'SECTION') return isNamed(element) ? 'region' : null;
  if (tagName === 'HEADER' || tagName === 'FOOTER')
    return element.parentElement?.closest(sections) === null ? (tags[tagName] as string) : null;
  return tags[tagName] ?? ((element as HTMLElement).isContentEditable && isEditingHost(element) ? 'textbox' : null);
}

function isNamed(element: Element): boolean {
  return ['aria-label', 'aria-labelledby', 'title'].some(name => (element.getAttribute(name) ?? '') !== '');
}

function inputRole(type: string): string | null {
  if (type === 'hidden') return null;
  if (type === 'checkbox' || type === 'radio') return type;
  return ['button', 'submit', 'reset', 'image', 'file'].includes(type) ? 'button' : 'textbox';
}

function isEditingHost(element: Element): boolean {
  return (element.parentElement as HTMLElement | null)?.isContentEditable !== true;
}
