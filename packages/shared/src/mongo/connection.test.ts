import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOwnServer } from '../../../../test/support/own-server.ts';
import type { OwnServer } from '../../../../test/support/own-server.ts';
import { until } from '../../../../test/support/until.ts';
import { createLogger } from '../runtime/logger.ts';
import { connectMongo, mongoProblem } from './connection.ts';
import type { MongoLink } from './connection.ts';

let server: OwnServer;
let link: MongoLink;
beforeAll(async () => {
  server = await startOwnServer('mongodb');
  link = connectMongo({
    uri: server.url,
    database: 'connection-test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    prepare: () => Promise.resolve(),
  });
  await until(link.isUp, { what: 'MongoDB to be ready' });
}, 60_000);
afterAll(async () => {
  await link.close();
  await server.discard();
});

type Failure = { ms: number; code: string | undefined };
async function failure(operation: () => Promise<unknown>): Promise<Failure> {
  const begun = performance.now();
  try {
    await operation();
  } catch (error) {
    return { ms: performance.now() - begun, code: mongoProblem(error)?.code };
  }
  throw new Error('it should have failed');
}

test('when the server freezes, then every operation is 503 within 2 s, at once and later, and all is well afterwards', async () => {
  const things = link.connection.collection<{ _id: number }>('things');
  await things.insertOne({ _id: 1 });
  server.kill('SIGSTOP');
  // Delivered asynchronously: what was answered until now was answered by a server that still ran.
  await until(async () => (await Promise.race([things.findOne({}), later(100)])) === 'late', {
    what: 'the server to freeze',
  });
  const failures: Failure[] = [];
  for (let round = 0; round < 3; round++) {
    // oxlint-disable-next-line no-await-in-loop -- while it is found, and once it was
    failures.push(
      ...(await Promise.all([
        failure(() => things.findOne({})),
        failure(() => things.insertOne({ _id: 2 + round })),
        failure(() => things.countDocuments()),
      ])),
    );
  }
  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => 'service_unavailable'));
  expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(2000);
  expect(link.isUp()).toBe(false);
  server.kill('SIGCONT');
  await until(link.isUp, { what: 'the connection to come back' });
  expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1 });
}, 30_000);

const later = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'late'));
