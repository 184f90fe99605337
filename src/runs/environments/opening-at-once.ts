import { forgePrefix } from '../../forge/forge-name.ts';
import { familyHost } from './open-environment.ts';

/** The same environment by a name that opens without planning: what is left out of forged tasks is part of it. */
export async function openingAtOnce(name: string): Promise<string> {
  if (!name.startsWith(forgePrefix)) return name;
  const { nameLeftOut } = await import('../../forge/forged-app.ts');
  return nameLeftOut(name, familyHost);
}
