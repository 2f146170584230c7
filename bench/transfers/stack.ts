import { randomUUID } from 'node:crypto';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createLogger } from '@comanda/shared/runtime/logger';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { createStepUpTokens } from '../../services/auth-stepup/src/step-up/step-up-token.ts';
import { signerAt } from '../../services/auth-stepup/src/keys/key-ring.ts';
import { createKeyStore } from '../../services/auth-stepup/src/keys/key-store.ts';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import { startPeer, type Peer } from '../peers/start-peer.ts';
import { openAccounts, type Pair } from './accounts.ts';
import { signInUsers } from './users.ts';
import { openWritePath } from './write-path.ts';

/** The URLs to call, and the account ids of users 1 to 10,000 there. */
export type Target = { urls: readonly string[]; accountIds: readonly number[] };
type Servers = {
  mongodbUri: string;
  redisUrl: string;
  rabbitmqUrl: string;
  /** More settings of transfers. */
  more?: Record<string, string>;
};
const database = 'bench_transfers';
const endpointKey = 'internal_transfer.create';
const prefix = 'bench:';

/** Starts auth-stepup and an instance of transfers as processes, and creates 10,000 customers with an account each. */
export async function startTransferStack({ mongodbUri, redisUrl, rabbitmqUrl, more = {} }: Servers) {
  const secrets = testSecrets();
  const secret = secrets.transfersSealingSecret;
  const servers = { mongodbUri, database: 'bench', redisUrl, redisPrefix: prefix, rabbitmqUrl };
  const { 'auth-stepup': authUrl } = await freeUrls();
  const settings = stackSettings({ urls: { 'auth-stepup': authUrl }, servers, secrets });
  const writePath = await openWritePath({ uri: mongodbUri, database, secret });
  const ids = await openAccounts({
    accounts: writePath.accounts,
    post: (commands) => Promise.all(commands.map((command) => writePath.post(command))),
  });
  await writePath.close();
  const auth = await startServiceProcess('auth-stepup', { ...settings['auth-stepup'], LOG_LEVEL: 'warn' });
  const jwksUrl = `${auth.url}/.well-known/jwks.json`;
  const peers: Peer[] = [];
  const start = () => startServiceProcess('transfers', { ...settings.transfers, LOG_LEVEL: 'warn', ...more });
  const instances = [await start()];
  await Promise.all([auth, ...instances].map((service) => service.ready()));
  const newest = () => instances.at(-1) as (typeof instances)[number];
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'bench_auth' }).asPromise();
  const logger = createLogger({ service: 'bench', level: 'error' });
  const signer = signerAt(
    await createKeyStore(connection, { sealer: createSealer(secrets.authSealingSecret), logger }).findAll(),
    Date.now(),
  );
  if (!signer?.privateKey) throw new Error('no key signs');
  const { kid, privateKey } = signer;
  const keys = { signer: () => ({ kid, privateKey }), verifier: () => undefined };
  const redis = new Redis(redisUrl, { keyPrefix: prefix });
  const accessTokenOf = await signInUsers({ connection, keys, logger });
  const stepUpTokens = createStepUpTokens({ keys, issuer: 'comanda', clock: Date.now });
  const rows = connection.getClient().db(database).collection('transfers');

  return {
    connection: connection.useDb(database),
    accessTokenOf,
    /** Returns the process ids of auth-stepup and all instances of transfers. */
    pids: (): number[] => [auth, ...instances].map((service) => service.pid()),
    /** Starts another instance of transfers. */
    addInstance: async (): Promise<void> => {
      const another = await start();
      await another.ready();
      instances.push(another);
    },
    /** Restarts the instance that was added last, so that it has verified no accounts and tokens. */
    restartLast: async (): Promise<void> => {
      await newest().end('SIGTERM');
      await newest().start();
      await newest().ready();
    },
    /** Returns the instance that was added last. */
    last: (): Target => ({ urls: [newest().url], accountIds: ids }),
    /** Starts a hand-written service with one of its ledgers, together with a service that spends step-up tokens. */
    startPeer: async (ledger: 'mongoose' | 'medici'): Promise<Target> => {
      const consent = await startPeer('consent.ts', {
        env: { REDIS_URL: redisUrl, REDIS_PREFIX: prefix, JWKS_URL: jwksUrl },
      });
      const transfers = await startPeer('transfers.ts', {
        args: [ledger],
        env: {
          MONGODB_URI: mongodbUri,
          RABBITMQ_URL: rabbitmqUrl,
          JWKS_URL: jwksUrl,
          CONSENT_URL: consent.url,
        },
      });
      peers.push(consent, transfers);
      return { urls: [transfers.url], accountIds: ids.map((_, index) => index + 1) };
    },
    /** Returns the first `count` instances of transfers. */
    ours: (count: number): Target => ({ urls: instances.slice(0, count).map(({ url }) => url), accountIds: ids }),
    /** Prepares a call for each pair. Each call has its own step-up token, in the format that auth-stepup issues. */
    prepareCalls: async ({ accountIds }: Target, pairs: readonly Pair[]): Promise<PreparedCall[]> => {
      const unusedTokens = redis.pipeline();
      const calls = pairs.map(({ from, to }) => {
        const [userId, jti] = [from + 1, randomUUID()];
        unusedTokens.set(`jti:{${userId}}:${jti}`, '1', 'PX', 125_000);
        return {
          body: JSON.stringify({ from_account_id: accountIds[from], to_account_id: accountIds[to], amount: '0.01' }),
          headers: {
            authorization: `Bearer ${accessTokenOf(userId)}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
            'x-step-up-token': stepUpTokens.issue({ jti, userId, endpointKey, details: null }),
          },
        };
      });
      await unusedTokens.exec();
      return calls;
    },
    /** Creates a client that uses the URLs in turn. */
    connectTo: ({ urls }: Target) => createTransferClient(urls),
    /** Waits until all events have been published. */
    untilPublished: () =>
      until(async () => (await rows.countDocuments({ 'outbox.0': { $exists: true } }, { limit: 1 })) === 0, {
        timeoutMs: 120_000,
        what: 'the outbox to be empty',
      }),
    close: async (): Promise<void> => {
      redis.disconnect();
      await connection.close();
      await Promise.all([auth, ...instances].map((service) => service.end('SIGTERM')));
      for (const peer of peers) peer.end();
    },
  };
}

export type PreparedCall = { body: string; headers: Record<string, string> };

function createTransferClient(urls: readonly string[]) {
  const pools = urls.map((url) => new Pool(url, { connections: 64, pipelining: 1 }));
  let next = 0;
  return {
    /** Sends a call, and retries it after 409 and 503 like any client. @throws Error if the final status is not 201 */
    send: async ({ body, headers }: PreparedCall): Promise<void> => {
      for (;;) {
        const pool = pools[next++ % pools.length] as Pool;
        const response = await pool.request({ method: 'POST', path: '/accounts/internal-transfers', headers, body });
        const text = await response.body.text();
        if (response.statusCode === 201) return;
        if (![409, 503].includes(response.statusCode)) throw new Error(`${response.statusCode}: ${text}`);
      }
    },
    close: () => Promise.all(pools.map((pool) => pool.close())),
  };
}
