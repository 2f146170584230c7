import type { Document, MongoClient } from 'mongodb';
import type { Databases } from '../operate/databases.ts';

/**
 * Users who are missing from auth-stepup's database although another database refers to them. `what`: the data that belongs to
 * them. `someIds`: a few of their ids.
 */
export type MissingUsers = { what: string; count: number; someIds: readonly number[] };

/** How long guests are stored after their session, in milliseconds. Their orders are never removed. */
const guestsAreKeptMs = 30 * 24 * 3600 * 1000;
const maxListed = 10;

/**
 * Finds users who are missing from auth-stepup's database but own accounts, or orders from the last 30 days. Such users show that
 * the databases come from different points in time.
 */
export async function findMissingUsers(client: MongoClient, databases: Databases): Promise<MissingUsers[]> {
  const known = client.db(databases.auth);
  const from = new Date(Date.now() - guestsAreKeptMs);
  const owners = [
    {
      what: 'orders',
      db: databases.orders,
      collection: 'pedidos',
      field: 'usuarioID',
      match: { dataHora: { $gte: from } },
    },
    {
      what: 'accounts',
      db: databases.transfers,
      collection: 'accounts',
      field: 'owner_id',
      match: { owner_id: { $gt: 0 } }, // The restaurant's own accounts have no owner or owner 0.
    },
  ];
  const found: MissingUsers[] = [];
  for (const { what, db, collection, field, match } of owners) {
    const groups = client
      .db(db)
      .collection(collection)
      .aggregate<{ _id: number }>([{ $match: match }, { $group: { _id: `$${field}` } }]);
    const missing: number[] = [];
    for await (const batch of inBatches(groups, 1000)) missing.push(...(await withoutUsers(known, batch)));
    if (missing.length > 0) found.push({ what, count: missing.length, someIds: missing.slice(0, maxListed) });
  }
  return found;
}

async function withoutUsers(known: ReturnType<MongoClient['db']>, ids: readonly number[]): Promise<number[]> {
  const [users, guests] = await Promise.all([
    known
      .collection('usuarios')
      .find({ usuarioID: { $in: ids } }, { projection: { usuarioID: 1 } })
      .toArray(),
    known
      .collection<{ _id: number }>('guests')
      .find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } })
      .toArray(),
  ]);
  const there = new Set([
    ...users.map((user: Document) => user['usuarioID'] as number),
    ...guests.map(({ _id }) => _id),
  ]);
  return ids.filter((id) => !there.has(id));
}

async function* inBatches(groups: AsyncIterable<{ _id: number }>, size: number): AsyncGenerator<number[]> {
  let batch: number[] = [];
  for await (const { _id } of groups) {
    batch.push(_id);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
