import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { Redis } from 'ioredis';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Role } from '@comanda/contracts/endpoint';
import { createLogger } from '@comanda/shared/runtime/logger';
import { caller } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { isolated } from '@comanda/testing/isolated';
import type { Isolated } from '@comanda/testing/isolated';
import { until } from '@comanda/testing/until';
import { authStepupSettings } from '../../src/config.ts';
import { startAuthStepup } from '../../src/service.ts';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createUserStore } from '../../src/people/user-store.ts';
import { createKeyStore } from '../../src/keys/key-store.ts';
import { signerAt } from '../../src/keys/key-ring.ts';
import type { User } from '../../src/people/user.ts';
import { createAccessTokens } from '../../src/sessions/access-token.ts';
import { createRefreshTokens } from '../../src/sessions/refresh-token.ts';
import { createSessionStore } from '../../src/sessions/session-store.ts';
import { beginSession } from '../../src/sessions/sessions.ts';
import { createTableStore } from '../../src/tables/table-store.ts';

// Hashes at cost 12 take their time, several times as much on a machine that is busy.
jest.setTimeout(60_000);

export const password = 'a-password-for-tests';
/** bcrypt at cost 12, made once. */
const passwordHash = '$2b$12$iphXNcgB9SHLnjyvDvr8YeHDrNSmRb6cZMMSIQaq6fqNybkvE3vTe';
export const silent = createLogger({ service: 'auth-stepup', level: 'silent' });
const minuteMs = 60_000;

/** A time of the test's own: it stands still until it is moved. */
export type Clock = { (): number; pass: (what: { ms?: number; minutes?: number; days?: number }) => void };
export function testClock(): Clock {
  let now = Date.now();
  return Object.assign(() => now, {
    pass: ({ ms = 0, minutes = 0, days = 0 }: { ms?: number; minutes?: number; days?: number }) => {
      now += ms + minutes * minuteMs + days * 24 * 60 * minuteMs;
    },
  });
}

export type Person = { id: number; email: string; token: string; refreshToken: string };
export type AuthStepup = Awaited<ReturnType<typeof startTestAuthStepup>>;
type Options = { settings?: Record<string, string>; clock?: () => number; own?: Isolated };

/** The service against real servers, with limits that tests do not meet by chance; `env` starts another instance. */
export async function startTestAuthStepup({ settings = {}, clock = Date.now, own: given }: Options = {}) {
  const own = given ?? (await isolated('auth'));
  const env: Record<string, string> = {
    PORT: '0',
    MONGODB_URI: own.mongodbUri,
    MONGODB_DATABASE: own.database,
    REDIS_URL: own.redisUrl,
    REDIS_PREFIX: own.redisPrefix,
    RABBITMQ_URL: own.rabbitmqUrl,
    TRANSFERS_URL: 'http://127.0.0.1:9', // nobody is there
    KEY_SEALING_SECRET: randomBytes(32).toString('base64'),
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_SIGN_IN_FAILURES: '1000',
    RATE_LIMIT_GUEST: '1000',
    HASH_QUEUE: '600',
    ...settings,
  };
  const lines: string[] = [];
  const logger = createLogger({ service: 'auth-stepup', level: 'debug' }, { write: (line) => void lines.push(line) });
  const config = loadConfig(authStepupSettings, env);
  const service = await startAuthStepup(config, logger, clock);
  await untilReady(service.url);
  const connection = await createConnection(own.mongodbUri, { dbName: own.database }).asPromise();
  const redis = new Redis(own.redisUrl, { keyPrefix: own.redisPrefix });
  const call = caller(service.url);

  async function signIn(email: string, secret: string = password): Promise<Omit<Person, 'id'>> {
    const { status, body, text } = await call('POST', '/auth/login', { body: { email, password: secret } });
    if (status !== 200) throw new Error(`could not sign in: ${text}`);
    return { email, token: body.access_token, refreshToken: body.refresh_token };
  }
  const transactions = createTransactions({ connection, isUp: () => true, logger: silent });
  const users = createUserStore({ connection, transactions });
  const sealer = createSealer(env['KEY_SEALING_SECRET'] ?? '');
  const keys = createKeyStore(connection, { sealer, logger: silent });
  const refreshTokens = createRefreshTokens(sealer.derive('refresh-tokens'));
  const store = createSessionStore(connection);
  const tables = createTableStore(connection);
  /** A session of this user, as signing in begins one, without the time that a password takes. */
  async function begin(user: User): Promise<Omit<Person, 'id'>> {
    const signer = signerAt(await keys.all(), clock());
    if (!signer?.privateKey) throw new Error('no key signs');
    const { kid, privateKey } = signer;
    const keeper = { signer: () => ({ kid, privateKey }) };
    const accessTokens = createAccessTokens({ keys: keeper, issuer: 'comanda', audience: 'comanda', clock });
    const note = async (): Promise<void> => {};
    const pair = await beginSession({ store, users, refreshTokens, accessTokens, tables, note, clock }, user, null);
    return { email: user.email ?? '', token: pair.access_token, refreshToken: pair.refresh_token };
  }
  async function person(name: string, role: Role): Promise<Person> {
    const user = await users.insert({
      name,
      email: newEmail(name),
      passwordHash,
      role,
      mustChangePassword: false,
      createdAt: clock(),
    });
    return { id: user.id, ...(await begin(user)) };
  }
  /** Another session of the same person. */
  async function again({ id }: { id: number }): Promise<Person> {
    const user = await users.byId(id);
    if (!user) throw new Error(`no user ${id}`);
    return { id, ...(await begin(user)) };
  }
  return {
    own,
    env,
    url: service.url,
    call,
    /** A caller with this person's access token. */
    as: ({ token }: { token: string }): Call => caller(service.url, { token }),
    signIn,
    again,
    /** People with the suite's password, put straight into the store, and signed in. */
    customer: (name = 'Ana') => person(name, 'customer'),
    waiter: (name = 'Walter') => person(name, 'waiter'),
    manager: (name = 'Marta') => person(name, 'manager'),
    connection,
    redis,
    /** What the service has logged. */
    log: () => lines.join(''),
    keys,
    close: async () => {
      await service.close();
      await users.close();
      await transactions.close();
      await connection.close();
      redis.disconnect();
    },
  };
}

export const newEmail = (name: string): string => `${name.toLowerCase()}-${randomBytes(6).toString('hex')}@house.test`;

export const untilReady = (url: string): Promise<unknown> =>
  until(async () => (await fetch(`${url}/readyz`)).ok, { what: 'readiness', timeoutMs: 18_000 });

/** The whole database as text, to look for what must not be in it. */
export async function databaseText(connection: Connection): Promise<string> {
  const collections = await connection.listCollections();
  const all = await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray()));
  return JSON.stringify(all);
}

export const codeOf = ({ status, body }: Called): string => `${status} ${body?.code ?? ''}`.trim();
