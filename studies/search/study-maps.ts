import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createAppMap, tourSchema, type AppMap, type TourClick } from '../../src/agents/page-search/app-map.ts';
import { tourApp } from '../../src/agents/page-search/tour.ts';
import type { Environment } from '../../src/core/contracts.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { withWorlds } from '../../src/runs/environments/worlds.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { workOnApps, type StudyApp } from './study-apps.ts';

export interface MapOptions {
  /** Folder of the study. */
  readonly folder: string;
  /** Clicks of a tour; 0 for none. */
  readonly clicks: number;
  /** Apps that are toured at once. */
  readonly pages: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onTour?(app: StudyApp, clicks: number): void;
}

const fileSchema = z.strictObject({ app: z.string(), clicks: z.int(), tour: tourSchema });

export type StudyMaps = ReadonlyMap<string, AppMap>;

/** Tours each app once: what it found is written down as `map.<app>.json`. An app that cannot be toured has no map. */
export async function makeMaps(apps: readonly StudyApp[], options: MapOptions): Promise<StudyMaps> {
  const { pages: atOnce, signal } = options;
  const made = await workOnApps(apps, { atOnce, signal }, async app => [app.id, await mapOf(app, options)] as const);
  return new Map(made.flatMap(([id, map]) => (map === null ? [] : [[id, map]])));
}

/** Null where no tour is made: tasks of other pages do not begin on the same screen. */
async function mapOf(app: StudyApp, options: MapOptions): Promise<AppMap | null> {
  const { folder, clicks } = options;
  if (clicks === 0) return null;
  const file = join(folder, `map.${app.id}.json`);
  if (!existsSync(file)) {
    const tour = await makeTour(app, options);
    if (tour === null) return null;
    writeWhole(file, `${JSON.stringify({ app: app.id, clicks, tour })}\n`);
  }
  return createAppMap(fileSchema.parse(readJson(file)).tour);
}

async function makeTour(
  app: StudyApp,
  { clicks, host, signal, onTour }: MapOptions,
): Promise<readonly TourClick[] | null> {
  const options = { stateful: false, browser: null, concurrency: 1, host };
  return withWorlds([app.name], options, async worlds => {
    const environment = [...worlds.values()][0] as Environment;
    const [template] = environment.templates;
    if (environment.openWarm === undefined || template === undefined) return null;
    const session = await environment.open(await environment.task(template.id, 1));
    try {
      const tour = await tourApp(session, {
        clicks,
        isStopped: () => signal.aborted,
        onClick: tried => onTour?.(app, tried),
      });
      // Half a tour would be taken for a whole one when the study goes on.
      return signal.aborted ? null : tour;
    } finally {
      await session.close();
    }
  });
}
