// npm run bench -- torture [minutes]: the long run of the notifier's torture test; 5 minutes by default.
import { torture } from '../services/notifier/test/support/torture.ts';
import { startBenchServers } from './stack.ts';

const minutes = Number(process.argv[3] ?? 5);
const servers = await startBenchServers();
const begun = performance.now();
const log = (line: string): void => {
  process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(1)} s ${line}\n`);
};
try {
  const { mongodbUri } = servers;
  const database = `torture-${process.pid}`;
  const report = await torture({ mongodbUri, database, seconds: minutes * 60, perSecond: 500, log });
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.faults.length === 0 ? 0 : 1;
} finally {
  await servers.stop();
}
