import { describe, expect, test } from '@jest/globals';
import type { LabReport } from './run-lab.ts';
import { earlierRuns, pageOf } from './write-page.ts';

const step = { name: 'orders is upgraded', tookMs: 26_400, calls: 642, failed: {}, fewestReady: 2, broken: [] };
const report: LabReport = {
  steps: [step],
  installedMs: 60_000,
  calls: 1_234,
  answers: {},
  orders: 300,
  transfers: 40,
  screens: 124,
  events: 65_996,
  ledger: 'The ledger is intact.',
  broken: [],
  tookMs: 600_000,
};
const write = (changed: Partial<LabReport>, earlier: readonly string[] = []): string =>
  pageOf({ report: { ...report, ...changed }, at: new Date('2026-01-02T03:04:05Z'), helmVersion: 'helm v3', earlier });

describe('the page of the lab', () => {
  test('when nothing failed, then each step says so, and the run is green', () => {
    const page = write({});

    expect(page).toContain('| orders is upgraded | 26 s | 642 | none | 2 |');
    expect(page).toContain('every screen had each event');
    expect(earlierRuns(page)).toEqual([expect.stringContaining('| green |')]);
  });

  test('when calls failed, then the step, the text and the run say which', () => {
    const page = write({
      steps: [{ ...step, failed: { 'POST /orders: 503 service_unavailable': 3 } }],
      broken: ['3 calls were answered 503 service_unavailable'],
    });

    expect(page).toContain('| 642 | 3 times POST /orders: 503 service_unavailable | 2 |');
    expect(page).toContain('- 3 calls were answered 503 service_unavailable');
    expect(page).not.toContain('every screen had each event');
    expect(earlierRuns(page)).toEqual([expect.stringContaining('| red: 3 calls were answered 503')]);
  });

  test('when it is written again, then earlier runs stay after the new one, the newest twenty', () => {
    const before = write(
      { calls: 7 },
      Array.from({ length: 25 }, (_, run) => `| 2025-12-01 10:00 | run ${run} |`),
    );

    const after = earlierRuns(write({ calls: 8 }, earlierRuns(before)));

    expect(after).toHaveLength(20);
    expect(after[0]).toContain('| 8 |');
    expect(after[1]).toContain('| 7 |');
    expect(after[2]).toContain('run 0');
  });
});
