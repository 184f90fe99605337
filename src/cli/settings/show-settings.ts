import { suggestion } from '../../core/naming/closest.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import { invalidSetting, typeText, type Setting } from './setting.ts';
import { settingsOf, settingVerbs } from './verb-settings.ts';

/** A setting as help and reference show it. */
interface ShownSetting {
  readonly path: string;
  readonly type: string;
  readonly usual: string;
  readonly about: string;
  /** The agents or strategies that have it. */
  readonly kinds: readonly string[];
  readonly verbs: readonly string[];
}

/** Every setting of every verb, each once. */
export function allSettings(): ShownSetting[] {
  const found = settingVerbs.flatMap(verb => settingsOf(verb).map(setting => ({ verb, setting })));
  const shown = new Map<string, ShownSetting>();
  for (const { verb, setting } of found) {
    const text = describe(setting);
    const key = [text.path, text.type, text.usual, text.about].join('\n');
    const { kinds = [], verbs = [] } = shown.get(key) ?? {};
    shown.set(key, {
      ...text,
      kinds: [...new Set([...kinds, ...(setting.kind === null ? [] : [setting.kind])])],
      verbs: [...new Set([...verbs, verb])],
    });
  }
  return [...shown.values()].toSorted((a, b) => groupOrder(a) - groupOrder(b));
}

const groups = [
  'strategy',
  'student',
  'teacher',
  'limits',
  'schedule',
  'browser',
  'spending',
  'loop',
  'learning',
  'search',
];

function groupOf({ path }: Pick<ShownSetting, 'path'>): string {
  return path.includes('.') ? (path.split('.', 1)[0] as string) : 'run';
}

function groupOrder(setting: ShownSetting): number {
  return groups.indexOf(groupOf(setting));
}

function describe({ path, schema, about }: Setting): Omit<ShownSetting, 'kinds' | 'verbs'> {
  const usual = schema.safeParse(undefined);
  const value: unknown = usual.success ? usual.data : undefined;
  return { path, type: typeText(schema), usual: usualText(value), about };
}

/** Lists of objects are too long for a table. */
function usualText(value: unknown): string {
  if (value === undefined) return '–';
  if (!Array.isArray(value) || typeof value[0] !== 'object') return String(value);
  return `a list of ${value.length}`;
}

/** `espalier help settings`, or those of one group: `espalier help settings strategy`. */
export function showSettings({ line, paint, json }: Output, group: string | undefined, isJson = false): ExitCode {
  const all = allSettings();
  const names = [...new Set(all.map(groupOf))];
  const chosen = group === undefined ? all : all.filter(one => groupOf(one) === group || one.path === group);
  if (chosen.length === 0)
    throw invalidSetting(
      `There are no settings "${group}".${suggestion(group ?? '', names)}`,
      `Expected one of: ${names.join(', ')}.`,
    );
  if (isJson) {
    for (const setting of chosen) json(setting);
    return 0;
  }
  line('Settings: --set <name>=<value>, or a file with --config, such as { "strategy": { "width": 4 } }.');
  for (const name of new Set(chosen.map(groupOf))) {
    const own = chosen.filter(one => groupOf(one) === name);
    const verbs = [...new Set(own.flatMap(one => one.verbs))];
    line();
    line(`${paint.bold(name)}  ${paint.dim(`of ${verbs.join(', ')}`)}`);
    const rows = own.map(({ path, type, usual, about, kinds }) => [
      `  ${path}`,
      type,
      usual,
      `${about}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
    ]);
    for (const text of columns(rows)) line(text);
  }
  return 0;
}
