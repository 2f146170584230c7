// npm run bench -- orders-kills [kills]: kills two instances of orders 200 times (or `kills`) while orders are placed and
// changed. Then it checks every promise. `npm test` does it with twenty kills.
import { runKills } from '../services/orders/test/support/kills.ts';
import { startBenchServers } from './stack.ts';
import { limit } from './support.ts';

const kills = Number(process.argv[3] ?? 200);
const servers = await startBenchServers();
await limit({
  name: 'orders-kills',
  what: `promises broken by ${kills} kills of two instances`,
  unit: 'broken',
  rounds: 1,
  atMost: 0,
  ours: async () => {
    const onKill = (kill: number): void => {
      if (kill % 10 === 0) process.stderr.write(`  ${kill} of ${kills} kills\n`);
    };
    const { broken, ...report } = await runKills({ servers, kills, onKill });
    process.stderr.write(`${JSON.stringify(report)}\n${broken.map((line) => `  ${line}\n`).join('')}`);
    return broken.length;
  },
});
await servers.stop();
