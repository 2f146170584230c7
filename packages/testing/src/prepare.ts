import type { Db } from 'mongodb';
import { connectMongo } from '@comanda/shared/mongo/connection';
import { prepareDatabase, type Preparation } from '@comanda/shared/mongo/prepare-database';
import { notePrepared, restoreDatabase } from './reused-databases.ts';
import { silentLogger } from './silent-logger.ts';
import { createTestLogger } from './test-logger.ts';

type Where = { mongodbUri: string; mongodbDatabase: string };

/** Prepares the database for a service that runs in this process. */
export async function prepareFor({ mongodbUri: uri, mongodbDatabase: database }: Where, preparation: Preparation) {
  const prepared = Promise.withResolvers<void>();
  const mongo = connectMongo({
    uri,
    database,
    logger: createTestLogger(preparation.service),
    onConnect: async (connection) => {
      const db = connection.db as Db;
      if (!(await restoreDatabase(db, preparation.service))) {
        await prepareDatabase(connection, preparation, silentLogger);
        await notePrepared(db, preparation.service);
      }
      prepared.resolve();
    },
  });
  try {
    await prepared.promise;
  } finally {
    await mongo.close();
  }
}
