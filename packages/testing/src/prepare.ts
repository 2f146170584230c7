import { connectMongo } from '@comanda/shared/mongo/connection';
import { prepareDatabase, type Preparation } from '@comanda/shared/mongo/prepare-database';
import { silentLogger } from './silent-logger.ts';
import { createTestLogger } from './test-logger.ts';

type Where = { mongodbUri: string; mongodbDatabase: string };

/** Prepares the database of a service that is started in this process. */
export async function prepareFor({ mongodbUri: uri, mongodbDatabase: database }: Where, preparation: Preparation) {
  const prepared = Promise.withResolvers<void>();
  const mongo = connectMongo({
    uri,
    database,
    logger: createTestLogger(preparation.service),
    onConnect: async (connection) => {
      await prepareDatabase(connection, preparation, silentLogger);
      prepared.resolve();
    },
  });
  try {
    await prepared.promise;
  } finally {
    await mongo.close();
  }
}
