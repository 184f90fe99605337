import { careDomains } from './care.ts';
import { cultureDomains } from './culture.ts';
import { outdoorsDomains } from './outdoors.ts';
import { publicDomains } from './public.ts';
import { tradeDomains } from './trade.ts';

/** Every vocabulary by name, as it is written. */
export const domains: Readonly<Record<string, string>> = {
  ...careDomains,
  ...cultureDomains,
  ...outdoorsDomains,
  ...publicDomains,
  ...tradeDomains,
};

export const domainNames: readonly string[] = Object.keys(domains).toSorted();
