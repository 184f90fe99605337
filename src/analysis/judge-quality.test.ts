import { describe, expect, it } from 'vitest';
import { judgeQuality, type JudgedEpisode } from './judge-quality.ts';
import { wilson } from './stats.ts';

const said = (pass: boolean, confidence: number, passed: boolean): JudgedEpisode => ({ pass, confidence, passed });

describe('judges as classifiers', () => {
  it('[LLM-16] are measured against the verifier, by numbers worked out by hand', () => {
    // Chances of having passed: 0.95, 0.75, 0.75, 0.375, 0.125; passed: yes, yes, no, yes, no.
    const report = judgeQuality([
      said(true, 0.95, true),
      said(true, 0.75, true),
      said(true, 0.75, false),
      said(false, 0.625, true),
      said(false, 0.875, false),
    ]);
    expect(report.counts).toEqual({ truePasses: 2, falsePasses: 1, trueFailures: 1, falseFailures: 1 });
    expect(report.precision).toEqual({ n: 3, rate: 2 / 3, interval: wilson(2, 3) });
    expect(report.recall).toEqual({ n: 3, rate: 2 / 3, interval: wilson(2, 3) });
    expect(report.accuracy).toEqual({ n: 5, rate: 3 / 5, interval: wilson(3, 5) });
    // Pairs of one that passed and one that did not: 0.95 beats both; 0.75 ties and beats; 0.375 loses and beats.
    expect(report.auc).toBeCloseTo((2 + 1.5 + 1) / 6, 12);
    expect(report.brier).toBeCloseTo((0.05 ** 2 + 0.25 ** 2 + 0.75 ** 2 + 0.625 ** 2 + 0.125 ** 2) / 5, 12);
    // Bins: 0.1–0.2 has one of 0.125; 0.3–0.4 one of 0.375; 0.7–0.8 two of 0.75, half passed; 0.9–1 one of 0.95.
    expect(report.calibrationError).toBeCloseTo((0.125 + 0.625 + 2 * 0.25 + 0.05) / 5, 12);
    expect(report.bins.map(({ n }) => n)).toEqual([0, 1, 0, 1, 0, 0, 0, 2, 0, 1]);
    expect(report.bins[7]).toMatchObject({ low: 0.7, high: 0.8, said: 0.75, passed: { n: 2, rate: 0.5 } });
  });

  it('[LLM-16] have no rate where there is nothing to divide by', () => {
    expect(judgeQuality([])).toMatchObject({
      n: 0,
      precision: { rate: null, interval: { low: 0, high: 1 } },
      accuracy: { rate: null },
      auc: null,
      brier: null,
      calibrationError: null,
    });
    expect(judgeQuality([said(false, 1, true)])).toMatchObject({
      precision: { rate: null },
      recall: { rate: 0 },
      auc: null,
    });
  });

  it('[LLM-16] are perfect, useless or wrong as their chances are', () => {
    const perfect = judgeQuality([said(true, 1, true), said(false, 1, false)]);
    expect(perfect).toMatchObject({ auc: 1, brier: 0, calibrationError: 0 });
    const useless = judgeQuality([true, false, true, false].map(passed => said(true, 0.5, passed)));
    expect(useless).toMatchObject({ auc: 0.5, brier: 0.25, calibrationError: 0 });
    expect(judgeQuality([said(false, 1, true), said(true, 1, false)])).toMatchObject({ auc: 0, brier: 1 });
    expect(() => judgeQuality([said(true, 1.5, true)])).toThrow('A judge is 1.5 sure. Expected a number from 0 to 1.');
  });
});
