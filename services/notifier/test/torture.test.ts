import { expect, test } from '@jest/globals';
import { isolated } from '../../../test/support/isolated.ts';
import { torture } from './support/torture.ts';

test('when brokers and notifiers die under load and clients come and go, then everyone has all that is theirs, once, in order', async () => {
  const { mongodbUri, database } = await isolated('torture');
  const lines: string[] = [];
  const report = await torture({ mongodbUri, database, seconds: 10, perSecond: 500, log: (line) => lines.push(line) });

  expect(report.faults).toEqual([]);
  expect(report.writes).toBeGreaterThan(1000);
  expect(report.connections).toBeGreaterThan(60);
}, 120_000);
