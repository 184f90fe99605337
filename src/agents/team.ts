import type { Decision, Policy } from '../core/episode/agents.ts';
import type { View } from '../core/episode/view.ts';
import { EspalierError } from '../core/errors.ts';
import type { StateSession } from '../core/contracts.ts';

/** A policy for each role of a team. Each sees what its role sees; steps are signed by the member that decided. */
export function createTeam(members: ReadonlyMap<string, Policy>): Policy {
  const name = `team of ${[...members].map(([role, policy]) => `${role} ${policy.name}`).join(' and ')}`;
  const roles = [...members.keys()];
  const isPrivileged = [...members.values()].some(({ privileged }) => privileged === true);
  const patient = [...members.values()].some(member => member.patient === true) ? { patient: true as const } : {};
  const decide = async (view: View, session: StateSession | null): Promise<Decision> => {
    const policy = members.get(view.role ?? '');
    if (policy === undefined) throw noPolicy(view.role, roles);
    const decision = await (policy.privileged === true ? policy.act(view, session as StateSession) : policy.act(view));
    return { ...decision, member: { name: `${view.role} ${policy.name}`, privileged: policy.privileged === true } };
  };
  return isPrivileged
    ? { name, roles, ...patient, privileged: true, act: (view, session) => decide(view, session) }
    : { name, roles, ...patient, act: view => decide(view, null) };
}

function noPolicy(role: string | undefined, roles: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'unsupported',
    message:
      role === undefined
        ? 'The environment does not say whose turn it is.'
        : `The team has no policy for the role "${role}".`,
    expected: `Expected one of the roles that the team has a policy for: ${roles.join(', ')}.`,
  });
}
