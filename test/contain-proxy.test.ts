import { expect, it } from 'vitest';
import { proxyAttacks } from '../bench/contain/proxy.ts';

it.each(proxyAttacks.map(attack => [attack.name, attack] as const))(
  '[PRX-17] [PRX-18] [PRX-6] [SRV-20] holds against: %s',
  async (_name, attack) => {
    expect(await attack.run()).toBe('held');
  },
);
