import { Redis } from 'ioredis';
import { createConnection } from 'mongoose';
import { createSealer } from '@comanda/shared/crypto/seal';
import { redisAddress } from '@comanda/shared/redis/redis-address';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { AuthStepupConfig } from '../../src/config.ts';
import { createKeyStore } from '../../src/keys/key-store.ts';
import { createTestUsers } from './test-users.ts';

/** Opens a running service's databases, so that tests can access them directly. */
export async function openTestStores(config: AuthStepupConfig, clock: () => number) {
  const connection = await createConnection(config.mongodbUri, { dbName: config.mongodbDatabase }).asPromise();
  const address = redisAddress(config.redisUrl);
  const options = { keyPrefix: config.redisPrefix };
  const redis = 'url' in address ? new Redis(address.url, options) : new Redis({ ...options, ...address.sentinels });
  redis.on('error', () => undefined); // errors are expected, because some tests stop Redis
  const sealer = createSealer(config.keySealingSecret);
  const keys = createKeyStore(connection, { sealer, logger: silentLogger });
  const users = createTestUsers({ connection, keys, sealer, clock });
  return {
    connection,
    redis,
    keys,
    users,
    close: async () => {
      await users.close();
      await connection.close();
      redis.disconnect();
    },
  };
}
