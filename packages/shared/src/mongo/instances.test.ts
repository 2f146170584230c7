import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { connectMongo, newest, type MongoLink } from './connection.ts';
import { createInstances } from './instances.ts';

let link: MongoLink;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('instances');
  link = connectMongo({ uri: mongodbUri, database, logger, onConnect: () => Promise.resolve() });
  await until(link.isUp, { what: 'MongoDB' });
});
afterAll(() => link.close());

const stored = () => link.connection.collection<{ _id: string; beat: Date; sessions: unknown[] }>('instances');
const isStored = async (id: string): Promise<boolean> => (await stored().countDocuments({ _id: id })) === 1;

test('an instance that paused with the database removes another instance only if that one stays silent afterwards', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  /** How many more times `isUp` returns true. Each time, the instance checks the others once. */
  let turns = 2;
  const asked = { count: 0 };
  const isUp = (): boolean => {
    asked.count++;
    return turns-- > 0;
  };
  const untilAsked = async (times: number): Promise<void> => {
    const before = asked.count;
    await until(() => asked.count >= before + times, { what: 'the next turns' });
  };
  const instances = createInstances({ connection: link.connection, isUp, logger, id: own, sessions: () => [] });
  await untilAsked(3);
  await stored().insertOne({ _id: other, beat: new Date(Date.now() - 60_000), sessions: [] });
  await untilAsked(2);

  turns = 1;
  await untilAsked(2);
  const afterPause = await isStored(other);
  turns = 1;
  await untilAsked(2);
  const afterSilence = await isStored(other);
  await instances.close();

  expect([afterPause, afterSilence]).toEqual([true, false]);
});

test('malformed heartbeats do not prevent the removal of other dead instances', async () => {
  const malformed = [{ beat: new Date(0) }, { beat: new Date(0), sessions: ['x'] }, { sessions: [] }, {}];
  const broken = malformed.map((fields, index) => ({ _id: `0-${index}`, ...fields }));
  const dead = `1-${randomUUID()}`;
  const instances = createInstances({
    connection: link.connection,
    isUp: () => true,
    logger,
    id: randomUUID(),
    sessions: () => [],
  });
  const all = link.connection.collection<{ _id: string }>('instances');
  await all.insertMany([...broken, { _id: dead, beat: new Date(0), sessions: [] }] as { _id: string }[]);

  await until(async () => !(await isStored(dead)), { what: 'the dead instance to be removed', timeoutMs: 10_000 });

  await instances.close();
  await all.deleteMany({ _id: { $in: broken.map(({ _id }) => _id) } });
});

test("a dead instance's heartbeat with a null session is removed without killing other instances' sessions", async () => {
  const { connection } = link;
  await connection.collection('things').insertOne({});
  await stored().insertOne({ _id: 'forged', beat: new Date(0), sessions: [null] });
  let isOver = false;
  const wasKilled = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 11_601;
  /**
   * Reads in a loop, and counts the reads whose session was killed. Ignores other failures, which can happen on a busy machine.
   */
  const countKilled = async (): Promise<number> => {
    let killed = 0;
    while (!isOver)
      await connection
        .collection('things')
        .find({ $where: 'sleep(300) || true' })
        .toArray()
        .catch((error: unknown) => void (killed += wasKilled(error) ? 1 : 0));
    return killed;
  };
  const counting = Promise.all([countKilled(), countKilled()]);
  const instances = createInstances({ connection, isUp: () => true, logger, id: randomUUID(), sessions: () => [] });

  try {
    await until(async () => !(await isStored('forged')), { what: 'the forged heartbeat to be removed' });
  } finally {
    isOver = true;
    await instances.close();
  }

  expect(await counting).toEqual([0, 0]);
});

test('a session that was registered while an older heartbeat was being written stays registered', async () => {
  const { connection } = link;
  const id = randomUUID();
  const sessions: { id: mongo.Binary }[] = [];
  const instances = createInstances({ connection, isUp: () => false, logger, id, sessions: () => sessions });
  await instances.beat();
  const registered: boolean[] = [];
  for (let round = 0; round < 8; round++) {
    sessions.length = 0;
    const holder = connection.getClient().startSession();
    holder.startTransaction();
    await stored().updateOne({ _id: id }, { $set: { beat: new Date() } }, { session: holder });
    const older = instances.beat();
    await sleep(20); // by now, the heartbeat is being written, and waits for the locked document
    sessions.push({ id: new mongo.Binary(Buffer.alloc(16, round + 1), 4) });
    const newer = instances.beat();
    await sleep(20);
    await holder.abortTransaction();
    await Promise.all([older, newer, holder.endSession()]);
    registered.push((await stored().findOne({ _id: id }, newest))?.sessions.length === 1);
  }
  await instances.close();

  expect(registered).toEqual(registered.map(() => true));
});
