import { unsafeKnobs, type Knob, type Settings } from '../knobs.ts';
import type { Checked, Refused, ServerKnob, Skill } from './skill.ts';

type Catalog = ReadonlyMap<string, ServerKnob>;

/** Keeps what this server has, in its ranges, and names the rest: knobs come, go and change between versions. */
export const versionCheck: Skill<Settings, Checked> = {
  name: 'version check',
  refuses: settings => (Object.keys(settings).length === 0 ? 'there is nothing to check' : null),
  async run(bench, settings) {
    const catalog = await bench.catalog();
    const refused: Refused[] = [];
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(settings)) {
      const why = whyNot(catalog, name, value);
      if (why === null) kept[name] = value;
      else refused.push({ name, why });
    }
    return { settings: kept, refused };
  },
};

/** The knobs that this server has, with the values that it takes. Its own default is among them. */
export function knobsOf(catalog: Catalog, knobs: readonly Knob[]): Knob[] {
  return knobs.flatMap(knob => {
    const found = catalog.get(knob.name);
    if (found === undefined) return [];
    const values = knob.values.filter(value => whyNot(catalog, knob.name, value) === null);
    return values.length < 2 ? [] : [{ ...knob, values }];
  });
}

/** Whether the value is what the server begins with. */
export function isInitial(catalog: Catalog, name: string, value: string): boolean {
  const found = catalog.get(name);
  return found !== undefined && sizeOf(value, found.unit) === sizeOf(found.initial, found.unit);
}

function whyNot(catalog: Catalog, name: string, value: string): string | null {
  const found = catalog.get(name);
  if (found === undefined) return 'this version does not have it';
  if (unsafeKnobs.includes(name)) return 'it decides whether confirmed commits survive a crash';
  if (found.kind === 'enum' && found.choices?.includes(value) === false)
    return `${value} is none of ${found.choices.join(', ')}`;
  if (found.kind !== 'integer' && found.kind !== 'real') return null;
  const size = Number(sizeOf(value, found.unit));
  if (Number.isNaN(size)) return `${value} is no number`;
  if (found.least !== null && size < found.least) return `${value} is under ${found.least}`;
  return found.most !== null && size > found.most ? `${value} is over ${found.most}` : null;
}

const bytes: Readonly<Record<string, number>> = { B: 1, kB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, '8kB': 2 ** 13 };

/** A size in the unit of the server; other values as they are. */
function sizeOf(value: string, unit: string | null): string {
  const [, number, suffix] = /^(\d+(?:\.\d+)?)(B|kB|MB|GB)?$/.exec(value) ?? [];
  if (number === undefined) return value;
  const [from, to] = [bytes[suffix ?? ''], bytes[unit ?? '']];
  return String(from === undefined || to === undefined ? Number(number) : (Number(number) * from) / to);
}
