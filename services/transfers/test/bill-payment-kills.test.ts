import { expect, jest, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runBillKills } from './support/bill-kills.ts';

const rounds = budget([1], [1, 2, 3, 4]);
const faults = budget(3, 500);
const diners = budget(4, 10);
const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, each) => sum + each, 0);

test.each(rounds)(
  'when transfers, orders, auth-stepup, mongod and redis-server are killed and frozen while bills are paid (%d), then a payment is paid if one transfer is posted, none stays claimed, and each write is a step of the model',
  async (round) => {
    const { rabbitmqUrl } = await isolatedServers('bill-kills');

    // The seed that Jest prints: --seed makes the same choices again.
    const report = await runBillKills({ rabbitmqUrl, faults, diners, seed: jest.getSeed() + round });

    process.stderr.write(`${JSON.stringify(report)}\n`);
    expect(report.broken).toEqual([]);
    expect(sumOf(report.kills) + sumOf(report.freezes)).toBeGreaterThanOrEqual(faults);
    expect(report.answers['201']).toBeGreaterThan(0);
    expect(report.writes).toBeGreaterThan(budget(0, faults));
  },
  1_200_000,
);
