import { count } from '../../core/text.ts';
import { contractDefaults } from '../signals/contracts/contract.ts';
import { percentText } from '../estimate.ts';
import type { ReportData } from './data.ts';
import { html } from './html.ts';
import { section, table, type Part } from './section.ts';
import { figure } from './words.ts';

/** How the contracts were kept: by agent, and contract by contract. */
export function contractsSection({ contracts }: ReportData): Part {
  const title = 'Contracts';
  if (contracts.length === 0) return { title, missing: 'The steps of this run were held to no contracts.' };
  const episodes = contracts.reduce((sum, group) => sum + group.episodes, 0);
  const kept = contracts.reduce((sum, group) => sum + group.kept, 0);
  const goal = percentText(contractDefaults.p);
  return section({
    id: 'contracts',
    title,
    finding: `All contracts were kept in ${figure(kept)} of ${count(episodes, 'episode')}. A step that was stopped did no harm: it counts as kept.`,
    body: html`${table({
      caption: `Episodes that kept all contracts, with the 95 % interval; it is enough where the lower end is at least ${goal}`,
      head: ['Who', 'Episodes', 'Kept', '95 %', 'Enough'],
      rows: contracts.map(({ episodes: n, kept: held, low, high, isEnough, ...who }) => [
        nameOf(who),
        figure(n),
        percentText(held / n),
        `${percentText(low)} to ${percentText(high)}`,
        isEnough ? 'yes' : 'no',
      ]),
    })}${table({
      caption: 'Steps that broke a contract and were taken, and steps that were stopped',
      head: ['Contract', 'Who', 'Taken', 'Stopped', 'Episodes'],
      rows: contracts.flatMap(({ contracts: rules, ...who }) =>
        rules.map(({ id, broken, stopped, episodes: n }) => [
          html`<code>${id}</code>`,
          nameOf(who),
          figure(broken),
          figure(stopped),
          figure(n),
        ]),
      ),
    })}`,
  });
}

function nameOf({
  phase,
  round,
  student,
}: Pick<ReportData['contracts'][number], 'phase' | 'round' | 'student'>): string {
  return phase === 'collect' ? `${student}, collecting, round ${round}` : `${student}, evaluated, round ${round}`;
}
