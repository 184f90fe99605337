import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython } from './find-python.ts';
import { findSandbox, withoutSandbox } from './sandbox.ts';
import {
  hostileVerifiers,
  openGround,
  tryVerifier,
  type VerifierGround,
} from '../../../test/adversarial/contain/verifiers.ts';

const rules = ['require', 'never'] as const;
let grounds: Record<(typeof rules)[number], VerifierGround>;
beforeAll(async () => {
  grounds = { require: await openGround('require'), never: await openGround('never') };
});
afterAll(async () => {
  for (const ground of Object.values(grounds)) await ground.close();
});

describe('a verifier that means harm', () => {
  it.each(hostileVerifiers.filter(({ always }) => always).map(attack => [attack.name, attack] as const))(
    '[WAI-19] is held by its limits alone: %s',
    async (_, attack) => {
      expect(await tryVerifier(attack, grounds.never)).toBeNull();
    },
  );

  it('[WAI-19] says why there is no sandbox, and what that means', async () => {
    const python = await findPython();
    expect(await grounds.require.pool.missingSandbox()).toBeNull();
    expect(await grounds.never.pool.missingSandbox()).toBe('it was switched off');
    expect(withoutSandbox('bubblewrap is not installed')).toMatch(
      /without a sandbox: bubblewrap is not installed.*apt install bubblewrap/,
    );
    const nowhere = { ...python, executable: '/nowhere/python3' };
    await expect(findSandbox(nowhere, 'require')).rejects.toMatchObject({ boundary: 'verifier', code: 'unavailable' });
    const { missing, wrap } = await findSandbox(nowhere, 'prefer');
    expect(missing).toMatch(/python3/);
    expect(wrap(['python3'], '/x')).toEqual(['python3']);
  });
});
