import { describe, expect, it } from 'vitest';
import { carriers } from './adversarial/secrets/carriers.ts';
import { chainOf, drawChain, encodings } from './adversarial/secrets/encodings.ts';
import { hunt, type Leak, type Plant } from './adversarial/secrets/hunt.ts';
import { isLong } from './long-form.ts';

const namesOf = (leaks: readonly Leak[]): string[] => leaks.map(({ plant, where }) => `${where}: ${plant}`);
const text = carriers.filter(({ name }) => name === 'text' || name === 'input of a tool');
/** Text that must be whole to be read is promised for the record only where it is cut over events. */
const fits = ({ carrier, chain }: Plant): boolean => carrier.cuts !== true || !chain.isWhole;

describe('a key that a model server sends back', () => {
  it('[PRX-6] [MOD-3] is told and written nowhere, in whatever encoding', async () => {
    const plants = encodings.flatMap((encoding, at) => {
      const chain = chainOf([encoding], encoding.name);
      return (isLong ? carriers : [text[at % text.length] as (typeof text)[number]]).map(carrier => ({
        carrier,
        chain,
      }));
    });
    expect(namesOf(await hunt(plants.filter(fits)))).toEqual([]);
  });

  it('[PRX-6] is told and written nowhere, at whatever place of an answer', async () => {
    const chains = [chainOf([], 'plain'), ...['json here and there', 'percent here and there'].map(named)];
    const plants = carriers.flatMap(carrier => chains.map(chain => ({ carrier, chain })));
    expect(namesOf(await hunt(plants))).toEqual([]);
  });

  it('[PRX-6] is told and written nowhere, in encodings of encodings', async () => {
    const count = isLong ? 2000 : 48;
    const plants = Array.from({ length: count }, (_, at) => ({
      carrier: carriers[at % carriers.length] as (typeof carriers)[number],
      chain: drawChain(`secrets/${at}`, 2),
    }));
    expect(namesOf(await hunt(plants.filter(fits)))).toEqual([]);
  });
});

function named(name: string) {
  return chainOf(
    encodings.filter(encoding => encoding.name === name),
    name,
  );
}
