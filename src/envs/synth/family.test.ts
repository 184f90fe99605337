import { expect, it } from 'vitest';
import { absoluteName } from '../../runs/environments/names.ts';
import { isElsewhere } from '../../runs/environments/families.ts';
import { findSource } from '../../runs/environments/open-environment.ts';

it('[SYN-6] made-up apps are found by seed, and are at hand for planners', async () => {
  const source = await findSource('synth:5');
  expect('app' in source && source.app.id).toBe('synth-5');
  expect(isElsewhere('synth:5')).toBe(false);
  expect(absoluteName('synth:5')).toBe('synth:5');
  expect(absoluteName('synth:clinic.json')).toMatch(/^synth:\/.*clinic\.json$/);
});

it('[SYN-6] a name that is neither a seed nor a spec is refused with what was expected', async () => {
  await expect(findSource('synth:clinic')).rejects.toThrow('Expected a whole number, such as synth:17');
  await expect(findSource('synth:./none.json')).rejects.toThrow('none.json cannot be read');
});
