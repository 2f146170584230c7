import { expect, test } from '@jest/globals';
import { createReports } from './get-report.ts';

const row = { number: 1, id: 1, table: null } as never;
/** Returns the use cases for a closed day with so many bills. */
const reportsOf = (many: number) =>
  createReports({
    closedBills: {
      listPage: (_days: unknown, { limit }: { limit: number }) =>
        Promise.resolve(Array.from({ length: Math.min(many, limit) }, () => row)),
      findRefundsVersion: () => Promise.resolve(''),
    } as never,
    days: { countBetween: () => Promise.resolve(1) },
    timeZone: 'America/Sao_Paulo',
    clock: Date.now,
  } as never);

test('a file has up to 100,000 rows', async () => {
  const query = { from: 1, to: 1 } as never;
  const file = await reportsOf(100_000).getCsv('bills', query);

  expect(file.toString().split('\r\n')).toHaveLength(100_002);
  await expect(reportsOf(100_001).getCsv('bills', query)).rejects.toMatchObject({ code: 'unprocessable_content' });
});
