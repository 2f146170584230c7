import { randomBytes } from 'node:crypto';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { Redis } from 'ioredis';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createSealer } from '@comanda/shared/crypto/seal';
import { caller } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestLogger } from '@comanda/testing/test-logger';
import { untilReady } from '@comanda/testing/until-ready';
import { authStepupSettings } from '../../src/config.ts';
import { createKeyStore } from '../../src/keys/key-store.ts';
import { startAuthStepup } from '../../src/service.ts';
import { createTestUsers } from './test-users.ts';

export type AuthStepupHarness = Awaited<ReturnType<typeof startAuthStepupHarness>>;
type Options = { servers?: IsolatedServers; settings?: Record<string, string>; clock?: () => number };

/**
 * The service in this process, against real servers, with limits that tests do not reach by chance. Its `env` starts
 * another instance.
 */
export async function startAuthStepupHarness(options: Options = {}) {
  const { settings = {}, clock = Date.now } = options;
  const servers = options.servers ?? (await isolatedServers('auth'));
  const env: Record<string, string> = {
    PORT: '0',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    RABBITMQ_URL: servers.rabbitmqUrl,
    TRANSFERS_URL: 'http://127.0.0.1:9', // nothing listens there
    KEY_SEALING_SECRET: `test:${randomBytes(32).toString('base64')}`,
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_SIGN_IN_ADDRESS: '1000',
    RATE_LIMIT_REGISTRATION: '1000',
    RATE_LIMIT_SIGN_IN_FAILURES: '1000',
    RATE_LIMIT_GUEST: '1000',
    HASH_QUEUE: '600',
    PIN_HASH_QUEUE: '600',
    ...settings,
  };
  const config = loadConfig(authStepupSettings, env);
  const lines: string[] = [];
  const logger = createTestLogger('auth-stepup', { level: 'debug', onLine: (line) => lines.push(line) });
  const service = await startAuthStepup(config, logger, clock);
  await untilReady(service.url);

  const connection = await createConnection(config.mongodbUri, { dbName: config.mongodbDatabase }).asPromise();
  const redis = new Redis(config.redisUrl, { keyPrefix: config.redisPrefix });
  redis.on('error', () => undefined); // a test that stops its Redis expects this
  const sealer = createSealer(config.keySealingSecret);
  const keys = createKeyStore(connection, { sealer, logger: silentLogger });
  const users = createTestUsers({ connection, keys, sealer, clock });
  const call = caller(service.url);
  return {
    servers,
    env,
    clock,
    url: service.url,
    call,
    /** A caller with this user's access token. */
    as: ({ token }: { token: string }): Call => caller(service.url, { token }),
    signIn: async (email: string, secret = password) => {
      const { status, body, text } = await call('POST', '/auth/login', { body: { email, password: secret } });
      if (status !== 200) throw new Error(`could not sign in: ${text}`);
      return { email, token: body.access_token as string, refreshToken: body.refresh_token as string };
    },
    /** Users with the test password, inserted into the store, with a session. */
    customer: (name = 'Ana') => users.create(name, 'customer'),
    waiter: (name = 'Walter') => users.create(name, 'waiter'),
    manager: (name = 'Marta') => users.create(name, 'manager'),
    users,
    newSession: users.newSession,
    connection,
    redis,
    keys,
    /** Everything that the service has logged. */
    log: () => lines.join(''),
    close: async () => {
      await service.close();
      await users.close();
      await connection.close();
      redis.disconnect();
    },
  };
}

/** The whole database as text, for tests that search it for what must not be stored. */
export async function databaseText(connection: Connection): Promise<string> {
  const collections = await connection.listCollections();
  const all = await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray()));
  return JSON.stringify(all);
}
