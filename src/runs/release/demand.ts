import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Environment } from '../../core/contracts.ts';
import { invalidOption } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { parseRecord } from '../../core/records.ts';
import { demandSchema, type Demand } from '../../envs/releases/release-file.ts';
import { readYamlSettings } from '../config/read-yaml.ts';

const fileSchema = z.strictObject({ demand: z.array(demandSchema) });

/** What people ask for: a YAML file that grows, each line with its day. */
export function readDemand(path: string): readonly Demand[] {
  if (!existsSync(path)) throw invalidOption(`There is no ${path}.`, 'Expected a YAML file with demand: in it.');
  const given = readYamlSettings(path, 'demand: [{ date: 2026-11-18, template: star-message, weight: 3 }]');
  return parseRecord(fileSchema, asText(given), { what: path, code: 'invalid-option' }).demand;
}

/** YAML reads a day as a date where its schema does; we mean the text. */
function asText(given: object): unknown {
  return JSON.parse(
    JSON.stringify(given, (_, value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : value)),
  );
}

/** How many tasks each template gets: in proportion to what was asked for, the largest remainders first; all alike without demand. */
export function quotas(world: Environment, demand: readonly Demand[], tasks: number): ReadonlyMap<string, number> {
  const known = world.templates.map(({ id }) => id);
  const weights = new Map<string, number>();
  for (const { template, weight } of demand) {
    const id = template.startsWith(`${world.id}/`) ? template.slice(world.id.length + 1) : template;
    if (!known.includes(id))
      throw invalidOption(
        `The demand names the template "${template}", and ${world.id} has none of that name.${suggestion(id, known)}`,
        `Expected one of ${known.join(', ')}.`,
      );
    weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  if (weights.size === 0) for (const id of known) weights.set(id, 1);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const exact = [...weights].map(([id, weight]) => ({ id, share: (tasks * weight) / total }));
  const left = tasks - exact.reduce((sum, { share }) => sum + Math.floor(share), 0);
  const more = new Set(
    exact
      .toSorted((one, other) => (other.share % 1) - (one.share % 1) || (one.id < other.id ? -1 : 1))
      .slice(0, left)
      .map(({ id }) => id),
  );
  const counts = exact.map(({ id, share }) => [id, Math.floor(share) + (more.has(id) ? 1 : 0)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}
