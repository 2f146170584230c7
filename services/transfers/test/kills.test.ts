import { expect } from '@jest/globals';
import { budget, longOnly } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runKills } from './support/kills.ts';

/** At least one of each instance and server. */
const kills = budget(3, 100);

// bill-payment-kills.test.ts does the same to transfers that pay bills, and outages.test.ts to one server or instance after the other.
longOnly.test(
  'when transfers, mongod, redis-server and auth-stepup are killed during transfers, then every promise is kept',
  async () => {
    const { rabbitmqUrl } = await isolatedServers('transfers-kills');
    const report = await runKills({ rabbitmqUrl, kills });
    expect(report.broken).toEqual([]);
    expect(report.kills).toBe(kills);
    expect(report.answers['201']).toBeGreaterThan(0);
    // Chance decides which calls are made and which a kill interrupts: in a short run there may be none of these.
    const some = budget(0, 1);
    expect(report.answers['422 insufficient_funds'] ?? 0).toBeGreaterThanOrEqual(some);
    expect(report.replayed).toBeGreaterThanOrEqual(some);
    expect(report.reusedTokens).toBeGreaterThanOrEqual(some);
  },
  300_000,
);
