import { randomBytes, randomInt } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { createClient } from '@comanda/client';
import type { Client } from '@comanda/client';
import { createSealer } from '@comanda/shared/crypto/seal';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { freePort, startServiceProcess, internalErrors } from '@comanda/testing/service-process';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createKeyStore } from '../../../auth-stepup/src/keys/key-store.ts';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { openBooks, newCommand } from './books.ts';
import { createMint, transferKey } from './mint.ts';
import type { Mint } from './mint.ts';
import { createTraffic } from './traffic.ts';
import type { Traffic } from './traffic.ts';

/** What a call had in its headers: whose it was, and its consent. */
export type Shown = { authorization: string; 'x-step-up-token': string };
export type Somebody = {
  id: number;
  account: number;
  client: Client;
  signIn: () => Promise<unknown>;
  /** What the call of this idempotency key has shown at last; forgotten with the asking. */
  takeShown: (key: string) => Shown | undefined;
};
export type KillableHouse = Awaited<ReturnType<typeof startKillableHouse>>;

const [database, authDatabase, redisPrefix] = ['transfers', 'auth', 'kills:'];
const password = 'a-password-for-tests';
/** What everybody's account holds in the beginning. */
export const fundedMinor = 100_000_000n;

/** Two instances of transfers, and auth-stepup, as processes, on a mongod and a redis-server of their own: all to be killed. */
export async function startKillableHouse({ people, rabbitmqUrl }: { people: number; rabbitmqUrl: string }) {
  let [mongod, redis] = await Promise.all([startOwnServer('mongodb'), startOwnServer('redis')]);
  const secret = randomBytes(32).toString('base64');
  const common = {
    MONGODB_URI: mongod.url,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redis.url,
    REDIS_PREFIX: redisPrefix,
    KEY_SEALING_SECRET: secret,
    LOG_LEVEL: 'error',
  };
  const ofAuthStepup = {
    ...common,
    PORT: String(await freePort()),
    MONGODB_DATABASE: authDatabase,
    TRANSFERS_URL: 'http://127.0.0.1:9', // the keys of receipts are read from the database
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_SIGN_IN: '100000',
  };
  const authUrl = `http://127.0.0.1:${ofAuthStepup.PORT}`;
  const ofTransfers = {
    ...common,
    MONGODB_DATABASE: database,
    JWKS_URL: `${authUrl}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: authUrl,
  };
  const [auth, ...instances] = await Promise.all([
    startServiceProcess('auth-stepup', ofAuthStepup),
    startServiceProcess('transfers', ofTransfers),
    startServiceProcess('transfers', ofTransfers),
  ]);
  await Promise.all([auth, ...instances].map((service) => service.ready()));
  const connection = await mongoose.createConnection(mongod.url, { dbName: authDatabase }).asPromise();
  const memory = new Redis(redis.url, {
    keyPrefix: redisPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 100,
  });
  memory.on('error', () => undefined); // it is killed, and that is known
  const mint = createMint({
    keys: createKeyStore(connection, { sealer: createSealer(secret), logger: silentLogger }),
    redis: memory,
  });
  const traffic = createTraffic();
  const urls = instances.map(({ url }) => url);
  const somebodies = await Promise.all(
    Array.from({ length: people }, (_, index) => signUp({ auth: auth.url, transfers: urls, mint, traffic }, index)),
  );
  await fundAll({ uri: mongod.url, database, secret }, somebodies);
  return {
    people: somebodies,
    traffic,
    urls,
    /** Where the ledger is; its server's address stays the same. */
    ledger: { uri: mongod.url, database, secret },
    killTransfers: (index: 0 | 1) => killService(instances[index]),
    killAuthStepup: () => killService(auth),
    killMongod: async () => {
      mongod = await killServer(mongod);
    },
    killRedis: async () => {
      redis = await killServer(redis);
    },
    /** Redis takes a spent token for an unspent one, as if it had come back with yesterday's memory. */
    unspend: (userId: number, jti: string) => memory.set(`jti:{${userId}}:${jti}`, '1', 'PX', 100_000),
    internalErrors: () => internalErrors([auth, ...instances]),
    ready: () => Promise.all([auth, ...instances].map((service) => service.ready())),
    stop: async () => {
      for (const { client } of somebodies) client.close();
      await Promise.all([auth, ...instances].map((service) => service.end('SIGTERM')));
      await connection.close();
      memory.disconnect();
      await Promise.all([mongod.discard(), redis.discard()]);
    },
  };
}

async function killService(service: ServiceProcess): Promise<void> {
  await service.end('SIGKILL');
  await service.start();
}
async function killServer(server: OwnServer): Promise<OwnServer> {
  server.kill('SIGKILL');
  await server.exited;
  return server.startAgain();
}

type Doors = { auth: string; transfers: readonly string[]; mint: Mint; traffic: Traffic };

/** Somebody with an account, who calls the house as every app of it does. */
async function signUp(doors: Doors, index: number): Promise<Somebody> {
  const email = `somebody-${index}-${randomBytes(4).toString('hex')}@house.test`;
  const shown = new Map<string, Shown>();
  const stored = new Map<string, string>();
  const client = createClient({
    url: 'http://house.test',
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    onConsent: async () => ({ transaction_password: '314159' }),
    fetch: throughDoors(
      doors,
      () => client.who()?.userId ?? 0,
      (key, headers) => void shown.set(key, headers),
    ),
  });
  const signIn = () => client.signIn({ email, password });
  const { id } = await client.calls.register({ name: 'Ana', email, password });
  await signIn();
  const account = await client.calls.openAccount({});
  const takeShown = (key: string): Shown | undefined => {
    const found = shown.get(key);
    shown.delete(key);
    return found;
  };
  return { id, account: account.id, client, signIn, takeShown };
}

/**
 * In place of the gateway: each call goes to its service, to either instance where there are two, and of what may have
 * moved money one reply in ten is lost. A step-up token is given without the time that a PIN takes.
 */
function throughDoors(
  { auth, transfers, mint, traffic }: Doors,
  whoCalls: () => number,
  onShown: (key: string, shown: Shown) => void,
): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input as string);
    if (pathname === '/security/step-up') {
      const token = await mint({ userId: whoCalls(), endpointKey: transferKey });
      const body = { step_up_token: token, token_type: 'step-up', expires_in: 120, endpoint_key: transferKey };
      return Response.json(body, { status: 201 });
    }
    const isMoney = pathname.startsWith('/accounts');
    const url = isMoney ? (transfers[randomInt(transfers.length)] as string) : auth;
    const headers = new Headers(init?.headers);
    const token = headers.get('x-step-up-token');
    if (token === null) return fetch(url + pathname, init);
    const authorization = headers.get('authorization') ?? '';
    onShown(headers.get('idempotency-key') ?? '', { authorization, 'x-step-up-token': token });
    return traffic.watch(url, async () => {
      const answer = await fetch(url + pathname, init);
      const body = await answer.arrayBuffer();
      if (randomInt(10) === 0) throw new TypeError('the reply was lost');
      return new Response(body, answer);
    });
  };
}

/** The same balance for everybody, through the write path, with receipts by the service's own key. */
async function fundAll(
  { secret, ...where }: { uri: string; database: string; secret: string },
  people: readonly Somebody[],
): Promise<void> {
  const reader = await mongoose.createConnection(where.uri, { dbName: where.database }).asPromise();
  const store = createSigningKeyStore(reader, { sealer: createSealer(secret), logger: silentLogger });
  const { signer } = await store.getSigningKeys(new Date());
  const books = await openBooks(where, { signer: () => signer });
  const cash = await books.accounts.getCashAccount('BRL', new Date());
  const outcomes = await books.post(
    people.map(({ account }) =>
      newCommand({ kind: 'account_deposit', fromId: cash.id, toId: account, amountMinor: fundedMinor }),
    ),
  );
  await books.close();
  await reader.close();
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
}
