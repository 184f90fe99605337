import { describe, expect, it } from 'vitest';
import { collectReport, demoReport, hostile } from '../../../test/fixtures/report-data.ts';
import { readReportData } from './data.ts';
import { verdictOf } from './opening.ts';
import { writeReport } from './write-report.ts';

describe('report', () => {
  it('[REP-5] says at the top, in one sentence, what was reached and which claims hold', () => {
    expect(verdictOf(demoReport()).replaceAll('\u00A0', ' ')).toBe(
      'SRC, K = 3 passes 93 % (88–96) of new instances and 60 % (50–70) of tasks from held-out templates in round 5, against 11 % and 7 % in round 0, for 1,550 teacher queries; 2 of 4 claims hold.',
    );
    const page = writeReport(demoReport());
    for (const word of ['holds', 'does not hold', 'not measured']) expect(page).toContain(`<b>${word}</b>`);
  });

  it('[REP-6] names what a run has nothing for, and draws nothing in its place', () => {
    const page = writeReport(collectReport());
    expect(verdictOf(collectReport())).toBe(
      'mail-7 passed 64 of 147 collected episodes; the student was not evaluated.',
    );
    for (const title of ['Claims', 'Learning curve', 'What the archive holds', 'Was the teacher right?', 'By template'])
      expect(page).toContain(`<dt>${title}</dt>`);
    expect(page).not.toContain('<figure');
    expect(page).not.toContain('NaN');
    expect(page).not.toContain('undefined');
  });

  it('[REP-6] draws one level when only that was evaluated, and says so of the other', () => {
    const demo = demoReport();
    const arms = demo.arms.map(arm => ({ ...arm, rounds: arm.rounds.map(round => ({ ...round, heldOut: null })) }));
    const page = writeReport({ ...demo, arms, baselines: [] });
    expect(page.match(/<figure/g)).toHaveLength(2);
    expect(page).toContain('Held-out templates: nothing was evaluated on this level.');
    expect(page).not.toContain('NaN');
  });

  it('[REP-6] draws a single evaluation as a point with its interval', () => {
    const demo = demoReport();
    const arms = demo.arms.slice(0, 1).map(arm => ({ ...arm, rounds: arm.rounds.slice(-1) }));
    const page = writeReport({ ...demo, arms });
    expect(page.match(/class="point"/g)).toHaveLength(4);
    expect(page.match(/<line class="line"/g)).toHaveLength(4);
    expect(page).not.toContain('NaN');
  });

  it('[REP-17] shows trust, threats and users, and says where there are none', () => {
    const page = writeReport(demoReport()).replaceAll('\u00A0', ' ');
    expect(page).toContain('demo did all that was asked, safely, in 60 % (40–80) of its episodes on new instances.');
    expect(page).toContain('With 4 hostile items, threats struck demo in 25 % (0–75) of its episodes behind scope.');
    expect(page).toContain('0: 0 of 2, 4: 1 of 2');
    expect(page).toContain('agree on 3 of 4 episodes of demo: kappa 0.50.');
    const none = { trust: [], threats: [], users: { users: [], agreement: [] } };
    const bare = writeReport({ ...demoReport(), ...none });
    for (const title of ['Trust in three channels', 'Threats', 'Simulated users'])
      expect(bare).toContain(`<dt>${title}</dt>`);
  });

  it('[REP-3] shows a hostile instruction as text', () => {
    const page = writeReport(demoReport());
    expect(page).not.toContain(hostile);
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('[REP-4] names nothing to be loaded', () => {
    expect(writeReport(demoReport())).not.toMatch(/(src|href)=|url\(|@import|https?:/);
  });

  it('[REP-7] comes out the same from data that was written and read back', () => {
    const data = demoReport();
    expect(writeReport(readReportData(JSON.parse(JSON.stringify(data))))).toBe(writeReport(data));
  });

  it('[REP-7] refuses data that is not a report, naming the field', () => {
    expect(() => readReportData({ ...demoReport(), arms: [] })).toThrow('arms');
    expect(() => readReportData({ ...demoReport(), mood: 'fine' })).toThrow('mood');
    const [first] = demoReport().claims;
    expect(() => readReportData({ ...demoReport(), claims: [{ ...first, holds: 'yes' }] })).toThrow('claims.0.holds');
  });

  it('[REP-8] has the numbers of every arm and round as text, what errored and the raw rate too', () => {
    const page = writeReport(demoReport()).replaceAll('\u00A0', ' ');
    const rows = [...page.matchAll(/<tr><th scope="row">([^<]*)<\/th><td>3<\/td><td>([^<]*)<\/td><td>([^<]*)<\/td>/g)];
    expect(rows.map(row => row.slice(1))).toEqual([
      ['SRC, K = 3', '85 % (79–89), 153 of 180, 2 errored', '84 %'],
      ['K = 1', '86 % (80–90), 155 of 180, 2 errored', '85 %'],
      ['K = ∞', '63 % (56–70), 113 of 180, 2 errored', '62 %'],
      ['Imitation', '67 % (60–74), 121 of 180, 2 errored', '66 %'],
    ]);
  });

  it('[REP-15] tells recorded figures from measured ones, with what made them', () => {
    const page = writeReport(demoReport()).replaceAll('\u00A0', ' ');
    const section = page.slice(page.indexOf('id="recorded"'));
    expect(section).toMatch(/Recorded before, not measured here.*970 apps.*50 %<\/b> <small>39–62.*\+25 \(10…40\)/s);
    expect(section).toContain('Recorded by <code>python study.py --plan plan.json</code>');
    expect(section).toContain('<code>f00d</code>');
    expect(writeReport(collectReport())).not.toContain('Recorded before');
  });
});
