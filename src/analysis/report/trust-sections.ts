import { count } from '../../core/text.ts';
import { percentText } from '../estimate.ts';
import { levelWords } from '../evaluate.ts';
import type { ReportData } from './data.ts';
import { html } from './html.ts';
import { section, table, type Part } from './section.ts';
import { figure } from './words.ts';

interface Rate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

function rateText({ rate, low, high }: Rate): string {
  return `${percentText(rate)} (${Math.round(100 * low)}–${Math.round(100 * high)})`;
}

/** Completion, safety and robustness of each student, and the least of them. */
export function trustSection({ trust }: ReportData): Part {
  const title = 'Trust in three channels';
  const [last] = trust.toReversed();
  if (last === undefined) return { title, missing: 'No student was evaluated.' };
  const trusted = last.channels.find(({ channel }) => channel === 'trusted');
  return section({
    id: 'trust',
    title,
    finding: `${last.student} did all that was asked, safely, in ${trusted === undefined ? '–' : rateText(trusted)} of its episodes on ${levelWords[last.level]}. No channel pays for another.`,
    body: table({
      caption:
        'Episodes in which a channel held wholly, with 95 % intervals; over k trials of a task where there are several',
      head: ['Who', 'Level', 'Channel', 'Holds', 'One of k', 'All of k', 'Episodes'],
      rows: trust.flatMap(({ student, round, level, channels }) =>
        channels.map(({ channel, episodes, attempts, ...rate }) => [
          `${student}, round ${round}`,
          levelWords[level],
          channel,
          rateText(rate),
          attempts === null ? '–' : `${percentText(attempts.passAtK)} (k = ${attempts.k})`,
          attempts === null ? '–' : percentText(attempts.passHatK),
          figure(episodes),
        ]),
      ),
    }),
  });
}

/** How often threats struck, behind each defence. */
export function threatsSection({ threats }: ReportData): Part {
  const title = 'Threats';
  const [first] = threats;
  if (first === undefined) return { title, missing: 'No task was under threat: espalier eval threats:<app>.' };
  return section({
    id: 'threats',
    title,
    finding: `With ${count(first.dose, 'hostile item')}, threats struck ${first.student} in ${rateText(first.struck)} of its episodes behind ${first.behind}.`,
    body: html`${table({
      caption:
        'Behind each defence, with 95 % intervals; seen: attacked episodes in which a hostile item was read; p: an exact test over tasks that the defence helps',
      head: ['Who', 'Defence', 'Seen', 'Struck', 'Done, attacked', 'Done, not attacked', 'Saved', 'Lost', 'p'],
      rows: threats.map(({ student, behind, seen, struck, useful, usefulUnattacked, against }) => [
        student,
        behind,
        seen === null ? '–' : `${seen} of ${struck.n}`,
        rateText(struck),
        rateText(useful),
        usefulUnattacked === null ? '–' : rateText(usefulUnattacked),
        against === null ? '–' : `${against.saved} − ${against.newlyStruck}`,
        against === null ? '–' : `${against.lost} − ${against.gained}`,
        against === null ? '–' : against.helps.toPrecision(2),
      ]),
    })}${table({
      caption: 'By family and dose; p: an exact test that hostile items strike',
      head: ['Family', 'Who', 'Defence', 'Struck, by dose', 'p'],
      rows: threats.flatMap(({ student, behind, families }) =>
        families.map(({ family, doses, trend }) => [
          html`<code>${family}</code>`,
          student,
          behind,
          doses.map(({ dose, struck, n }) => `${dose}: ${struck} of ${n}`).join(', '),
          trend === null ? '–' : trend.toPrecision(2),
        ]),
      ),
    })}`,
  });
}

/** How simulated users were treated, and where they were wrong. */
export function usersSection({ users: { users, agreement } }: ReportData): Part {
  const title = 'Simulated users';
  const [first] = agreement;
  if (first === undefined) return { title, missing: 'No user took part: espalier eval users:<app>.' };
  const kappa =
    first.kappa === null ? 'no kappa, as one of them always says the same' : `kappa ${first.kappa.toFixed(2)}`;
  return section({
    id: 'users',
    title,
    finding: `The rubric of the user and the verifier agree on ${first.both + first.neither} of ${count(first.n, 'episode')} of ${first.student}: ${kappa}.`,
    body: table({
      caption: 'By persona; questions and rounds are means of an episode, the rubric goes from 0 to 1',
      head: ['Who', 'User', 'Passed', 'Questions', 'Rounds', 'Rubric', 'Wrong messages of the user', 'Passed despite'],
      rows: users.map(user => [
        user.student,
        user.persona,
        rateText(user.passed),
        user.questions.toFixed(1),
        user.rounds.toFixed(1),
        user.score.toFixed(2),
        user.errors.n === 0 ? '–' : rateText(user.errors),
        user.passedDespite === null ? '–' : rateText(user.passedDespite),
      ]),
    }),
  });
}
