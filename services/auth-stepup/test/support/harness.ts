import type { Connection } from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller, type Call } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { reuseDatabases } from '@comanda/testing/reused-databases';
import { createTestLogger } from '@comanda/testing/test-logger';
import { untilReady } from '@comanda/testing/until-ready';
import { prepareFor } from '@comanda/testing/prepare';
import { authStepupSettings } from '../../src/config.ts';
import { authStepupPreparation } from '../../src/preparation.ts';
import { startAuthStepup } from '../../src/service.ts';
import { testHashCost } from './pins.ts';
import { openTestStores } from './test-stores.ts';

export type AuthStepupHarness = Awaited<ReturnType<typeof startAuthStepupHarness>>;
type Options = {
  servers?: IsolatedServers;
  settings?: Record<string, string>;
  clock?: () => number;
  hashCost?: number;
};

/**
 * Runs the service in this process on real servers, with limits that ordinary tests do not reach. Pass the returned `env` as
 * `settings` to start another instance.
 */
export async function startAuthStepupHarness(options: Options = {}) {
  const { settings = {}, clock = Date.now, hashCost = testHashCost } = options;
  const { servers, giveBack } = options.servers
    ? { servers: options.servers, giveBack: () => undefined }
    : await reuseDatabases(await isolatedServers('auth'), 'auth-stepup');
  const env: Record<string, string> = {
    ...stackSettings({ servers, secrets: testSecrets() })['auth-stepup'],
    MONGODB_DATABASE: servers.database,
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_SIGN_IN_ADDRESS: '1000',
    RATE_LIMIT_REGISTRATION: '1000',
    RATE_LIMIT_SIGN_IN_FAILURES: '1000',
    RATE_LIMIT_GUEST: '1000',
    HASH_QUEUE: '2400',
    HASH_WAIT_MS: '60000',
    PIN_HASH_QUEUE: '600',
    PIN_HASH_WAIT_MS: '60000', // a busy machine must not reject PIN checks
    // A test clock can skip a new key's ten minutes at once, but instances reload keys only every 2 s. keys.test.ts therefore
    // rotates keys itself. All other tests use one key.
    KEY_ROTATION_DAYS: '36500',
    ...settings,
  };
  const config = loadConfig(authStepupSettings, env);
  const lines: string[] = [];
  const logger = createTestLogger('auth-stepup', { level: 'debug', onLine: (line) => lines.push(line) });
  await prepareFor(config, authStepupPreparation);
  const service = await startAuthStepup(config, logger, { clock, hashCost });
  await untilReady(service.url);

  const stores = await openTestStores(config, clock);
  const { users } = stores;
  const call = caller(service.url);
  return {
    servers,
    env,
    clock,
    url: service.url,
    call,
    as: ({ token }: { token: string }): Call => caller(service.url, { token }),
    signIn: async (email: string, secret = password) => {
      const { status, body, text } = await call('POST', '/auth/login', { body: { email, password: secret } });
      if (status !== 200) throw new Error(`could not sign in: ${text}`);
      return { email, token: body.access_token as string, refreshToken: body.refresh_token as string };
    },
    /** Creates a user with a session and the test password directly in the database. */
    customer: (name = 'Ana') => users.create(name, 'customer'),
    waiter: (name = 'Walter') => users.create(name, 'waiter'),
    manager: (name = 'Marta') => users.create(name, 'manager'),
    newSession: users.newSession,
    ...stores,
    log: () => lines.join(''),
    close: async () => {
      await service.close();
      await stores.close();
      giveBack();
    },
  };
}

/** Returns the whole database as text, to search it for data that must not be stored. */
export async function databaseText(connection: Connection): Promise<string> {
  const collections = await connection.listCollections();
  const all = await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray()));
  return JSON.stringify(all);
}
