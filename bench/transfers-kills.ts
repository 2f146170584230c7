// npm run bench -- transfers-kills [kills]: kills two instances of transfers, mongod, redis-server and auth-stepup in turn,
// 1,000 times in all (or `kills`), while transfers are made. Then it checks every promise. `npm test` does it with twenty
// kills. A kill and the restart take one second, or two on a busy machine.
import { runKills } from '../services/transfers/test/support/kills.ts';
import { startOwnServer } from '@comanda/testing/own-server';
import { limit } from './support.ts';

const kills = Number(process.argv[3] ?? 1000);
const rabbitmq = await startOwnServer('rabbitmq');
await limit({
  name: 'transfers-kills',
  what: `promises broken by ${kills} kills of transfers, mongod, redis-server and auth-stepup`,
  unit: 'broken',
  rounds: 1,
  atMost: 0,
  ours: async () => {
    const onKill = (kill: number): void => {
      if (kill % 10 === 0) process.stderr.write(`  ${kill} of ${kills} kills\n`);
    };
    const { broken, ...report } = await runKills({ rabbitmqUrl: rabbitmq.url, kills, onKill });
    process.stderr.write(`${JSON.stringify(report)}\n${broken.map((line) => `  ${line}\n`).join('')}`);
    return broken.length;
  },
});
await rabbitmq.discard();
