import { randomBytes, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Account, Transfer } from '@comanda/contracts/transfers';
import { caller } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { isolated } from '@comanda/testing/isolated';
import type { Isolated } from '@comanda/testing/isolated';
import { freePort } from '@comanda/testing/service-process';
import { silentLogger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { startTestAuthStepup } from '../../../auth-stepup/test/support/harness.ts';
import { transfersSettings } from '../../src/config.ts';
import { startTransfers } from '../../src/service.ts';
import { createMint, depositKey, transferKey } from './mint.ts';
import type { Mint } from './mint.ts';

export { depositKey, transferKey };

/** Somebody with a sign-in, and a caller with their token. */
export type Person = { id: number; token: string; call: Call };
type Send = { from: number; to: number; amount: string; key?: string; token?: string; more?: Record<string, unknown> };

export type House = Awaited<ReturnType<typeof startTransfersHouse>>;
type Options = { own?: Isolated; env?: Record<string, string>; clock?: () => number };

/** transfers and the real auth-stepup, on databases of their own. */
export async function startTransfersHouse(name: string, { own: given, env: more = {}, clock }: Options = {}) {
  const own = given ?? (await isolated(name));
  const port = await freePort();
  const auth = await startTestAuthStepup({
    own: { ...own, database: `${own.database}-auth` },
    settings: { TRANSFERS_URL: `http://127.0.0.1:${port}` },
    ...(clock && { clock }),
  });
  const env: Record<string, string> = {
    PORT: String(port),
    JWKS_URL: `${auth.url}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: auth.url,
    MONGODB_URI: own.mongodbUri,
    MONGODB_DATABASE: own.database,
    RABBITMQ_URL: own.rabbitmqUrl,
    KEY_SEALING_SECRET: randomBytes(32).toString('base64'),
    ...more,
  };
  const running: { url: string; close: () => Promise<void> }[] = [];
  const start = async (settings: Record<string, string> = {}) => {
    const config = loadConfig(transfersSettings, { ...env, ...settings });
    const service = await startTransfers(config, silentLogger, clock);
    running.push(service);
    await ready(service.url);
    return service;
  };
  const { url } = await start();
  const mint = createMint(auth, clock);
  const client = await new mongoose.mongo.MongoClient(own.mongodbUri).connect();
  const as = ({ id, token }: { id: number; token: string }): Person => ({ id, token, call: caller(url, { token }) });
  const manager = as(await auth.manager());
  return {
    own,
    env,
    auth,
    url,
    mint,
    manager,
    db: client.db(own.database),
    customer: async (called = 'Ana') => as(await auth.customer(called)),
    waiter: async () => as(await auth.waiter()),
    /** One more instance on the same database. */
    another: (settings: Record<string, string> = {}) => start({ PORT: '0', ...settings }),
    open: async (who: Person, body: object = {}): Promise<Account> =>
      created(await who.call('POST', '/accounts', { body })),
    /** Puts cash into an account, as the manager. */
    fund: (account: number, amount: string) => fund({ manager, mint }, account, amount),
    send: (who: Person, what: Send) => send(who, mint, what),
    balance: async (account: number): Promise<string> =>
      (await manager.call('GET', `/accounts/${account}`)).body.balance,
    close: async () => {
      await Promise.all(running.map((service) => service.close()));
      await auth.close();
      await client.close();
    },
  };
}

export const ready = async (url: string): Promise<void> =>
  void (await until(async () => (await fetch(`${url}/readyz`)).ok, { timeoutMs: 15_000, what: `${url} to be ready` }));

/** The body of a 201; anything else fails the test. */
function created({ status, body, text }: Called): Called['body'] {
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return body;
}
export const codeOf = ({ status, body }: Called): string => `${status} ${body?.code ?? ''}`.trim();

async function fund(desk: { manager: Person; mint: Mint }, account: number, amount: string): Promise<Transfer> {
  const token = await desk.mint({ userId: desk.manager.id, endpointKey: depositKey });
  const headers = { 'x-step-up-token': token };
  return created(await desk.manager.call('POST', `/accounts/${account}/deposits`, { body: { amount }, headers }));
}

/** Sends money with a new consent, or with the one that is given. */
export async function send(who: Person, mint: Mint, { from, to, amount, key, token, more }: Send): Promise<Called> {
  const consent = token ?? (await mint({ userId: who.id, endpointKey: transferKey }));
  return who.call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount, ...more },
    headers: { 'x-step-up-token': consent, ...(key !== undefined && { 'idempotency-key': key }) },
  });
}

export const newKey = (): string => randomUUID();
