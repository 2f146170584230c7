import { randomInt } from 'node:crypto';
import { createClient, type Client } from '@comanda/client';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startAuthStepupProcess } from '@comanda/testing/auth-stepup-process';
import { newEmail, password } from '@comanda/testing/credentials';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { freeUrls } from '@comanda/testing/stack';
import { startServiceProcess, internalErrors, type ServiceProcess } from '@comanda/testing/service-process';
import { openBooks, newCommand } from './books.ts';
import { transferKey, type IssueStepUpToken } from './harness.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** Headers of a call: the user's token and the step-up token. */
export type CallHeaders = { authorization: string; 'x-step-up-token': string };
export type Customer = {
  id: number;
  account: number;
  client: Client;
  signIn: () => Promise<unknown>;
  /** The headers of the last call with this idempotency key; they are given once. */
  takeHeaders: (key: string) => CallHeaders | undefined;
};
export type KillableStack = Awaited<ReturnType<typeof startKillableStack>>;

const database = 'kills_transfers';
/** What each account holds at the beginning. */
export const fundedMinor = 100_000_000n;

/**
 * Two instances of transfers and auth-stepup as processes, on their own mongod and redis-server: all of them can be
 * killed. A second auth-stepup, which is never killed, issues the step-up tokens.
 */
export async function startKillableStack({
  customers: count,
  rabbitmqUrl,
}: {
  customers: number;
  rabbitmqUrl: string;
}) {
  let [mongod, redis] = await Promise.all([startOwnServer('mongodb'), startOwnServer('redis')]);
  const secrets = testSecrets();
  const secret = secrets.transfersSealingSecret;
  const servers = {
    mongodbUri: mongod.url,
    database: 'kills',
    redisUrl: redis.url,
    redisPrefix: 'kills:',
    rabbitmqUrl,
  };
  const { 'auth-stepup': authUrl } = await freeUrls();
  // The keys of receipts are read from the database: transfers needs no URL, and both instances get free ports.
  const settings = stackSettings({ urls: { 'auth-stepup': authUrl }, servers, secrets });
  const authSettings = { ...settings['auth-stepup'], LOG_LEVEL: 'error', RATE_LIMIT_SIGN_IN: '100000' };
  const transfersSettings = { ...settings.transfers, LOG_LEVEL: 'error' };
  const [auth, ...instances] = await Promise.all([
    startAuthStepupProcess(authSettings),
    startServiceProcess('transfers', transfersSettings),
    startServiceProcess('transfers', transfersSettings),
  ]);
  await Promise.all([auth, ...instances].map((service) => service.ready()));
  const issuer = await startAuthStepupProcess({ ...authSettings, PORT: '0' });
  const { issueStepUpToken } = issuer;
  const traffic = createTraffic();
  const urls = instances.map(({ url }) => url);
  const customers = await Promise.all(
    Array.from({ length: count }, () => signUp({ auth: auth.url, transfers: urls, issueStepUpToken, traffic })),
  );
  await fundAll({ uri: mongod.url, database, secret }, customers);
  return {
    customers,
    traffic,
    urls,
    /** Where the ledger is; its server's address stays the same. */
    ledger: { uri: mongod.url, database, secret, jwksUrl: auth.jwksUrl },
    killTransfers: (index: 0 | 1) => killService(instances[index]),
    killAuthStepup: () => killService(auth),
    killMongod: async () => {
      mongod = await killServer(mongod);
    },
    killRedis: async () => {
      redis = await killServer(redis);
    },
    /** Makes a spent token unspent, as if Redis had lost its last writes. */
    unspend: issuer.unspendStepUpToken,
    internalErrors: () => internalErrors([auth, issuer, ...instances]),
    ready: () => Promise.all([auth, ...instances].map((service) => service.ready())),
    close: async () => {
      for (const { client } of customers) client.close();
      await Promise.all([auth, issuer, ...instances].map((service) => service.end('SIGTERM')));
      await Promise.all([mongod.discard(), redis.discard()]);
    },
  };
}

async function killService(service: ServiceProcess): Promise<void> {
  await service.end('SIGKILL');
  await service.start();
}
export async function killServer(server: OwnServer): Promise<OwnServer> {
  server.kill('SIGKILL');
  await server.exited;
  return server.startAgain();
}

type Targets = { auth: string; transfers: readonly string[]; issueStepUpToken: IssueStepUpToken; traffic: Traffic };

/** A customer with an account, who uses the services with the client library. */
async function signUp(targets: Targets): Promise<Customer> {
  const email = newEmail('Ana');
  const headersByKey = new Map<string, CallHeaders>();
  const stored = new Map<string, string>();
  const client = createClient({
    url: 'http://comanda.test',
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    onConsent: async () => ({ transaction_password: '314159' }),
    fetch: fetchFromServices(
      targets,
      () => client.who()?.userId ?? 0,
      (key, headers) => void headersByKey.set(key, headers),
    ),
  });
  const signIn = () => client.signIn({ email, password });
  const { id } = await client.calls.register({ name: 'Ana', email, password });
  await signIn();
  const account = await client.calls.openAccount({});
  const takeHeaders = (key: string): CallHeaders | undefined => {
    const headers = headersByKey.get(key);
    headersByKey.delete(key);
    return headers;
  };
  return { id, account: account.id, client, signIn, takeHeaders };
}

/**
 * A `fetch` in place of the gateway: each call goes to its service, to a random instance of transfers. One reply in ten
 * to a call with a step-up token is lost. Step-up tokens are issued without the time that a PIN check takes.
 */
function fetchFromServices(
  { auth, transfers, issueStepUpToken, traffic }: Targets,
  getUserId: () => number,
  onCall: (key: string, headers: CallHeaders) => void,
): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input as string);
    if (pathname === '/security/step-up') {
      const token = await issueStepUpToken({ userId: getUserId(), endpointKey: transferKey });
      const body = { step_up_token: token, token_type: 'step-up', expires_in: 120, endpoint_key: transferKey };
      return Response.json(body, { status: 201 });
    }
    const isMoney = pathname.startsWith('/accounts');
    const url = isMoney ? (transfers[randomInt(transfers.length)] as string) : auth;
    const headers = new Headers(init?.headers);
    const token = headers.get('x-step-up-token');
    if (token === null) return fetch(url + pathname, init);
    const authorization = headers.get('authorization') ?? '';
    onCall(headers.get('idempotency-key') ?? '', { authorization, 'x-step-up-token': token });
    return traffic.watch(url, async () => {
      const answer = await fetch(url + pathname, init);
      const body = await answer.arrayBuffer();
      if (randomInt(10) === 0) throw new TypeError('the reply was lost');
      return new Response(body, answer);
    });
  };
}

/** Deposits the same amount to every account, through the write path, with receipts signed by the service's key. */
export async function fundAll(
  where: { uri: string; database: string; secret: string },
  customers: readonly Pick<Customer, 'account'>[],
): Promise<void> {
  const books = await openBooks(where);
  const cash = await books.accounts.getCashAccount('BRL', new Date());
  const outcomes = await books.post(
    customers.map(({ account: id }) => newCommand({ from: cash, to: { id }, amountMinor: fundedMinor })),
  );
  await books.close();
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
}
