import type { FleetPoint, FleetStudy } from './study-fleet.ts';

const ofSize = [64, 256, 1000, 2000, 5000];

/** Measured fleets beside the model of the same machine. */
export function pointTable({ points }: Pick<FleetStudy, 'points'>): string[] {
  return [
    '| workers | episodes/s | spread | model | efficiency | model | database, ms an episode | connections |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...points.map(point => {
      const { workers, simulated } = point;
      const [rates, shown] = [ratesOf(point), middleOf(point)];
      const spread = (rates.at(-1) ?? 0) - (rates[0] ?? 0);
      const cells = [workers, number(shown.rate), number(spread), number(simulated.rate)];
      const shares = [share(shown.efficiency), share(simulated.efficiency)];
      return `| ${[...cells, ...shares, number(1000 * shown.spent.database), shown.connections].join(' | ')} |`;
    }),
  ];
}

/** What the model says of larger fleets: episodes a second, how busy the database is, and where it bends. */
export function fleetTable({ scenarios }: Pick<FleetStudy, 'scenarios'>): string[] {
  return [
    `| fleet | ${ofSize.map(size => `${number(size)} workers`).join(' | ')} | under 90 % from |`,
    `| --- | ${ofSize.map(() => '---:').join(' | ')} | ---: |`,
    ...scenarios.map(({ name, about, forecasts, bend }) => {
      const cells = ofSize.map(size => {
        const found = forecasts.find(({ workers }) => workers === size);
        return found === undefined ? '' : `${number(found.rate)}/s, ${share(found.load)}`;
      });
      return `| **${name}**: ${about} | ${cells.join(' | ')} | ${bend === null ? 'not here' : number(bend)} |`;
    }),
  ];
}

function ratesOf({ measured }: FleetPoint): number[] {
  return measured.map(({ rate }) => rate).toSorted((left, right) => left - right);
}

function middleOf({ measured }: Pick<FleetPoint, 'measured'>): FleetPoint['measured'][number] {
  const sorted = measured.toSorted((left, right) => left.rate - right.rate);
  return sorted[Math.floor(sorted.length / 2)] as (typeof sorted)[number];
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function share(value: number): string {
  return `${Math.round(100 * value)} %`;
}
