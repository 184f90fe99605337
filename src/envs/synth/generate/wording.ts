import type { Random } from '../../../core/random.ts';
import { plainWords, type Field, type Setting, type Words } from '../spec/schema.ts';

/** Ways in which apps say the same thing. */
const wordings: { readonly [name in keyof Words]: readonly string[] } = {
  home: ['Home', 'Start', 'Overview', 'Dashboard', 'Front page', 'Main page'],
  welcome: ['Welcome', 'Good day', 'At a glance', 'Today', 'Hello again', 'Your workspace'],
  menu: ['Menu', 'Sections', 'Navigation', 'Areas', 'Contents'],
  goTo: ['Go to', 'Jump to', 'Open page', 'Show', 'Switch to'],
  settings: ['Settings', 'Preferences', 'Options', 'Configuration', 'Setup'],
  search: ['Search', 'Find', 'Look for', 'Look up', 'Quick search'],
  find: ['Go', 'Search', 'Find', 'Look', 'Run search'],
  filters: ['Filters', 'Narrow down', 'Refine', 'Filter', 'More options'],
  any: ['Any', 'All', 'Everything', 'No filter', '(any)'],
  clear: ['Clear', 'Reset', 'Show all', 'Clear filters', 'Start over'],
  sortBy: ['Sort by', 'Order by', 'Order', 'Sort', 'Arrange by'],
  lowest: ['lowest first', 'ascending', 'smallest first', 'up', 'low to high'],
  highest: ['highest first', 'descending', 'largest first', 'down', 'high to low'],
  next: ['Next page', 'Next', 'More', 'Forward', 'Older', '›'],
  previous: ['Previous page', 'Previous', 'Newer', 'Page back', '‹'],
  open: ['Open', 'Details', 'View', 'Show', 'Look inside'],
  close: ['Close', 'Hide', 'Done', 'Dismiss', '✕'],
  back: ['Back', 'Back to list', 'Return', 'Up', '← Back'],
  add: ['Add {thing}', 'New {thing}', 'Create {thing}', '+ {thing}', 'Register {thing}', 'Enter a {thing}'],
  save: ['Save', 'Save changes', 'Apply', 'Update', 'Store', 'OK'],
  create: ['Create {thing}', 'Save {thing}', 'Add', 'Submit', 'Save', 'Finish'],
  cancel: ['Cancel', 'Discard', 'Never mind', 'Abort', 'Leave'],
  edit: ['Edit', 'Change details', 'Modify', 'Correct', 'Amend'],
  change: ['Change', 'Edit', 'Set', 'Update', 'Correct'],
  remove: ['Delete', 'Remove', 'Erase', 'Throw away', 'Delete for good'],
  confirm: ['Yes', 'Confirm', 'OK', 'Do it', 'Go ahead'],
  decline: ['No', 'Cancel', 'Keep as is', 'Not now', 'Stop'],
  actions: ['Actions', 'More', 'What next', 'Do', 'Options', '⋯'],
  moveTo: ['Move to', 'Change to', 'Next step', 'Set to', 'Progress'],
  apply: ['Apply', 'Go', 'Do it'],
  forward: ['Next', 'Continue', 'Next step', 'Proceed'],
  backward: ['Previous', 'Go back', 'Previous step', 'Return'],
  select: ['Select', 'Pick', 'Mark', 'Choose', 'Tick'],
  none: ['None', 'Nobody', 'Not set', '(none)', 'Unassigned', 'Empty'],
  yes: ['Yes', 'On', 'True', 'Set'],
  no: ['No', 'Off', 'False', 'Unset'],
  nothing: ['Nothing found', 'No entries', 'The list is empty', 'There is nothing here', 'No results'],
  details: ['Details', 'General', 'Summary', 'Basics', 'Information'],
};

export function drawWords(random: Random): Words {
  const pick = (name: keyof Words): string => random.pick(wordings[name]);
  const drawn = Object.fromEntries(Object.keys(plainWords).map(name => [name, pick(name as keyof Words)]));
  const words = drawn as { -readonly [name in keyof Words]: string };
  // Yes and no have to go together, and so have up and down.
  const answer = random.between(0, wordings.yes.length - 1);
  const order = random.between(0, wordings.lowest.length - 1);
  [words.yes, words.no] = [wordings.yes[answer] ?? 'Yes', wordings.no[answer] ?? 'No'];
  [words.lowest, words.highest] = [wordings.lowest[order] ?? '', wordings.highest[order] ?? ''];
  return words;
}

/** Labels of buttons and links, not of values: those that a variation of the screen may word otherwise. */
const variable = [
  'home',
  'settings',
  'filters',
  'clear',
  'next',
  'previous',
  'open',
  'back',
  'save',
  'cancel',
  'edit',
  'actions',
] as const;

export function synonymsOf(words: Words): Record<string, string[]> {
  const used = new Set<string>(Object.values(words));
  const entries = variable.map(name => [words[name], wordings[name].filter(word => !used.has(word))] as const);
  return Object.fromEntries(entries.filter(([, others]) => others.length > 0));
}

/** Other labels for common fields. */
const fieldLabels: Readonly<Record<string, readonly string[]>> = {
  Phone: ['Phone', 'Telephone', 'Phone number', 'Contact number'],
  Email: ['Email', 'Mail address', 'E-mail'],
  Name: ['Name', 'Full name', 'Listed name'],
  Title: ['Title', 'Heading', 'Name'],
  Label: ['Label', 'Name', 'Tag'],
  Day: ['Day', 'Date', 'Planned for'],
  Town: ['Town', 'City', 'Place'],
  Street: ['Street', 'Address', 'Location'],
  Fee: ['Fee', 'Charge', 'Cost'],
  Price: ['Price', 'Cost', 'Amount'],
  Seats: ['Seats', 'Places', 'Capacity'],
  Due: ['Due', 'Due date', 'Deadline'],
  Kind: ['Kind', 'Type', 'Category'],
  Remark: ['Remark', 'Comment', 'Memo'],
  Value: ['Value', 'Worth', 'Estimate'],
  Age: ['Age', 'Years old'],
  Weight: ['Weight', 'Weight in kg'],
  Start: ['Start', 'Begins at', 'Start time'],
};

export function drawLabel(label: string, random: Random): string {
  return random.pick(fieldLabels[label] ?? [label]);
}

const statusLabels = ['Status', 'State', 'Stage', 'Progress', 'Condition', 'Standing'];

export function drawStatusLabel(random: Random): string {
  return random.pick(statusLabels);
}

/** The label, or the first other one that no field has. */
export function freeStatusLabel(label: string, fields: readonly Field[]): string {
  const isTaken = (text: string): boolean => fields.some(field => field.label === text);
  return isTaken(label) ? (statusLabels.find(text => !isTaken(text)) ?? label) : label;
}

const settingPool: readonly Setting[] = [
  { id: 'language', label: 'Language', options: ['English', 'German', 'Spanish', 'Polish'] },
  { id: 'colours', label: 'Colours', options: ['Light', 'Dark', 'Sepia', 'High contrast'] },
  { id: 'density', label: 'Row height', options: ['Tight', 'Normal', 'Roomy'] },
  { id: 'reminders', label: 'Reminders', options: ['Never', 'Daily', 'Weekly', 'Hourly'] },
  { id: 'dateFormat', label: 'Date format', options: ['31.12.', '12/31', '2026-12-31'] },
  { id: 'currency', label: 'Currency', options: ['Euro', 'Dollar', 'Pound', 'Franc'] },
  { id: 'sound', label: 'Sounds', options: ['Off', 'Quiet', 'Loud'] },
  { id: 'backup', label: 'Backups', options: ['Manual', 'Nightly', 'Monthly'] },
  { id: 'timeout', label: 'Log out after', options: ['5 minutes', '30 minutes', '2 hours', 'Never'] },
  { id: 'firstDay', label: 'Week starts with', options: ['Monday', 'Saturday', 'Sunday'] },
];

export function drawSettings(random: Random): Setting[] {
  return random.chance(0.6) ? random.sample(settingPool, random.between(2, 5)) : [];
}
