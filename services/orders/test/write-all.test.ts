import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { orderCreated, orderStatusChanged } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { limitWaiting, writeAll, type VersionedWrite } from '../src/write-with-outbox.ts';

let connection: Connection;
const documents = () => connection.collection<{ _id: number; version: number; history: unknown[] }>('documents');
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('write-all');
  connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
});
afterAll(() => connection?.close());

const message = toMessage(orderCreated({ orderId: 1 }));
const writeTo = (id: number, versionBefore: number | null): VersionedWrite => ({
  id,
  versionBefore,
  fields: { version: (versionBefore ?? 0) + 1 },
  history: [versionBefore],
  messages: [message],
});
const write = (...writes: VersionedWrite[]) =>
  connection.getClient().withSession((session) => writeAll(documents() as never, { writes }, session));

test('the oldest of too many waiting events are dropped, except for those of new orders', async () => {
  const carried = Array.from({ length: 64 }, (_, index) => toMessage(orderCreated({ orderId: index + 1 })));
  const changes = Array.from({ length: 120 }, (_, index) =>
    toMessage(orderStatusChanged({ orderId: 1, version: index + 2 })),
  );
  const [waiting, added] = [[...carried, ...changes], changes.slice(-1)];
  await documents().insertOne({ _id: 20, outbox: waiting } as never);

  const left = await limitWaiting(documents(), { id: 20, waiting, added });

  const expected = [...carried, ...changes.slice(20)].map(({ id }) => id);
  expect(left.map(({ id }) => id)).toEqual(expected);
  expect(await documents().findOne({ _id: 20 })).toMatchObject({ outbox: expected.map((id) => ({ id })) });
});

describe('a batch of document writes', () => {
  test('stores new versions with their events', async () => {
    expect(await write(writeTo(1, null), writeTo(2, null))).toMatchObject([{ documentId: 1 }, { documentId: 2 }]);

    const [pending] = await write(writeTo(1, 1), writeTo(1, 2));

    expect(pending).toMatchObject({ documentId: 1 });
    expect(pending?.messages).toHaveLength(3);
    expect(await documents().findOne({ _id: 1 })).toMatchObject({ version: 3, history: [null, 1, 2] });
  });

  test.each([
    ['a document has changed', writeTo(11, 7)],
    ['a new document already exists', writeTo(11, null)],
  ])('causes a conflict for the whole batch if %s', async (_what, stale) => {
    await documents().deleteMany({ _id: { $in: [10, 11] } });
    await write(writeTo(10, null), writeTo(11, null));

    await expect(write(writeTo(10, 1), stale)).rejects.toBeInstanceOf(WriteConflict);
  });
});
