import { unknownEnvironment } from '../core/errors.ts';
import { placeIn } from '../worlds/family.ts';

/** An option of a world in its name: its default and its bounds. */
export interface NumberOption {
  readonly default: number;
  readonly low: number;
  readonly high: number;
}

/** Reads `7` (a seed) or `seed=7,documents=2000` after the prefix of a name. */
export function readWorldOptions<K extends string>(
  name: string,
  known: Readonly<Record<K | 'seed', NumberOption>>,
): Record<K | 'seed', number> {
  const options = Object.fromEntries(
    Object.entries<NumberOption>(known).map(([key, option]) => [key, option.default]),
  ) as Record<K | 'seed', number>;
  for (const [index, part] of placeIn(name).split(',').entries()) {
    const [, key = index === 0 ? 'seed' : '', text = ''] = /^(?:([a-z]+)=)?(\d{1,9})$/.exec(part) ?? [];
    const option = (known as Readonly<Record<string, NumberOption>>)[key];
    if (option === undefined || text === '')
      throw unknownEnvironment(
        `"${part}" in "${name}" is no option of this world.`,
        `Expected ${Object.keys(known)
          .map(word => `${word}=<number>`)
          .join(', ')}, or a seed alone.`,
      );
    const value = Number(text);
    if (value < option.low || value > option.high)
      throw unknownEnvironment(`${key} in "${name}" is ${value}.`, `Expected ${option.low} to ${option.high}.`);
    options[key as K] = value;
  }
  return options;
}
