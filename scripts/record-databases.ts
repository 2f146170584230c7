// npm run record-databases: fills the databases with an evening's data, using the services in this working tree, and writes the
// data to test/last-release. test/last-release.test.ts opens the data with the services of later releases. Run this command at a
// release's commit.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { comandaDir, programsDir, root } from '@comanda/local-stack/root';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { startEphemeralServers } from '@comanda/local-stack/servers/ephemeral-servers';
import { perService } from '@comanda/local-stack/stack-settings';
import { managerCredentials } from '@comanda/testing/credentials';
import { until } from '@comanda/testing/until';
import { defineCommand, readCommandLine } from './command-line.ts';
import { dine, leaveOpen, newEvening, openRestaurant } from '../test/versions/dinner.ts';
import { recordDatabases, recordedSecrets } from '../test/versions/recorded-databases.ts';
import { startReleases } from '../test/versions/releases.ts';

readCommandLine(
  defineCommand({
    name: 'npm run record-databases',
    script: 'record-databases',
    about: 'Fills the databases by a dinner, and writes them into test/last-release, for later releases to open.',
    options: {},
  }),
);
const dataDir = mkdtempSync(join(comandaDir, 'record-'));
const reaper = await startReaper();
const urls = await startEphemeralServers({ given: {}, programsDir, dataDir, log: console.error, reaper });
const database = 'recorded';
const servers = {
  mongodbUri: urls.MONGODB_URI,
  database,
  redisUrl: urls.REDIS_URL,
  redisPrefix: 'recorded:',
  rabbitmqUrl: urls.RABBITMQ_URL,
};
const client = await new MongoClient(urls.MONGODB_URI).connect();
const sources = { name: 'this one', root };
const services = await startReleases(servers, { first: perService(() => sources), secrets: recordedSecrets() });
try {
  await services.auth().createManager({ name: 'Marta', ...managerCredentials });
  const evening = newEvening();
  const restaurant = await openRestaurant({ url: services.gatewayUrl, evening, manager: managerCredentials });
  for (let bill = 1; bill <= 3; bill++) await dine(restaurant);
  await leaveOpen(restaurant);
  const checkpoints = client.db(`${database}_transfers`).collection('checkpoints');
  await until(() => checkpoints.findOne(), { what: 'a checkpoint', timeoutMs: 60_000 });
  await services.close();
  await recordDatabases(client, database);
  console.log(`test/last-release has what ${evening.calls} calls have stored.`);
} finally {
  await services.close();
  await client.close();
  await reaper.finish();
  rmSync(dataDir, { recursive: true, force: true });
}
