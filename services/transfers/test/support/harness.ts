import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Account } from '@comanda/contracts/accounts';
import type { Transfer } from '@comanda/contracts/transfers';
import { startAuthStepupHere, type StepUpTokenRequest } from '@comanda/testing/auth-stepup-process';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { reuseDatabases } from '@comanda/testing/reused-databases';
import { freeUrls } from '@comanda/testing/stack';
import { depositKey, transferKey } from '@comanda/testing/step-up-calls';
import type { SharedTestClock } from '@comanda/testing/test-clock';
import { createTestLogger } from '@comanda/testing/test-logger';
import { untilReady } from '@comanda/testing/until-ready';
import { testResponseTimeLimitMs } from '@comanda/testing/patient';
import { prepareFor } from '@comanda/testing/prepare';
import { transfersSettings } from '../../src/config.ts';
import { transfersPreparation } from '../../src/preparation.ts';
import { startTransfers } from '../../src/service.ts';

export { depositKey, transferKey };

/** A user with an access token, and a function that makes calls with this token. */
export type SignedInUser = { id: number; token: string; call: Call };
export type IssueStepUpToken = (request: StepUpTokenRequest) => Promise<string>;
type TransferRequest = {
  from: number;
  to: number;
  amount: string;
  key?: string;
  token?: string;
  more?: Record<string, unknown>;
};

export type TransfersHarness = Awaited<ReturnType<typeof startTransfersHarness>>;
type Options = {
  servers?: IsolatedServers;
  env?: Record<string, string>;
  clock?: SharedTestClock;
  /** The time after which a call gets a 503, in milliseconds. Outage tests use the production value. */
  responseTimeLimitMs?: number;
};

/** Runs transfers and auth-stepup in this process, with a database each and the same clock. */
export async function startTransfersHarness(name: string, options: Options = {}) {
  const { env: settings = {}, clock, responseTimeLimitMs = testResponseTimeLimitMs } = options;
  const { servers, giveBack } = options.servers
    ? { servers: options.servers, giveBack: () => undefined }
    : await reuseDatabases(await isolatedServers(name), 'transfers');
  const stack = stackSettings({ urls: await freeUrls(), servers, secrets: testSecrets() });
  const auth = await startAuthStepupHere({ ...stack['auth-stepup'], ...(clock && { CLOCK_FILE: clock.file }) });
  const env: Record<string, string> = {
    ...stack.transfers,
    MONGODB_DATABASE: servers.database,
    MAX_ACCOUNTS_PER_OWNER: '10000',
    ...settings,
  };
  const logger = createTestLogger('transfers');
  const instances: { url: string; close: () => Promise<void> }[] = [];
  const startInstance = async (ownSettings: Record<string, string>) => {
    const config = loadConfig(transfersSettings, { ...env, ...ownSettings });
    await prepareFor(config, transfersPreparation);
    const service = await startTransfers(config, logger, { ...(clock && { clock }), responseTimeLimitMs });
    instances.push(service);
    await untilReady(service.url);
    return service;
  };
  const [{ url }] = await Promise.all([startInstance({}), auth.ready()]);
  const client = await new mongoose.mongo.MongoClient(servers.mongodbUri).connect();
  const as = ({ id, token }: { id: number; token: string }): SignedInUser => ({
    id,
    token,
    call: caller(url, { token }),
  });
  const manager = as(await auth.manager());
  const { issueStepUpToken } = auth;
  return {
    servers,
    env,
    auth,
    url,
    issueStepUpToken,
    manager,
    db: client.db(servers.database),
    customer: async (userName = 'Ana') => as(await auth.customer(userName)),
    waiter: async () => as(await auth.waiter()),
    startInstance: (ownSettings: Record<string, string> = {}) => startInstance({ PORT: '0', ...ownSettings }),
    openAccount: async (user: SignedInUser, body: object = {}): Promise<Account> =>
      created(await user.call('POST', '/accounts', { body })),
    /** Deposits cash into an account, as the manager. */
    deposit: (account: number, amount: string) => deposit({ manager, issueStepUpToken }, account, amount),
    send: (user: SignedInUser, request: TransferRequest) => send(user, issueStepUpToken, request),
    balance: async (account: number): Promise<string> =>
      (await manager.call('GET', `/accounts/${account}`)).body.balance,
    close: async () => {
      await Promise.all(instances.map((service) => service.close()));
      await auth.close();
      await client.close();
      giveBack();
    },
  };
}

type Depositor = { manager: SignedInUser; issueStepUpToken: IssueStepUpToken };

async function deposit({ manager, issueStepUpToken }: Depositor, account: number, amount: string): Promise<Transfer> {
  const token = await issueStepUpToken({ userId: manager.id, endpointKey: depositKey });
  const headers = { 'x-step-up-token': token };
  return created(await manager.call('POST', `/accounts/${account}/deposits`, { body: { amount }, headers }));
}

/** Sends a transfer with the request's step-up token, or with a new one if it has none. */
export async function send(
  user: SignedInUser,
  issueStepUpToken: IssueStepUpToken,
  { from, to, amount, key, token, more }: TransferRequest,
): Promise<Called> {
  const stepUpToken = token ?? (await issueStepUpToken({ userId: user.id, endpointKey: transferKey }));
  return user.call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount, ...more },
    headers: { 'x-step-up-token': stepUpToken, ...(key !== undefined && { 'idempotency-key': key }) },
  });
}

export const newKey = (): string => randomUUID();
