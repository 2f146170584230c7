import { isDeepStrictEqual } from 'node:util';
import type { Called } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import type { Actors } from './clients.ts';
import { hasEnded, judgeBills, type PayerInTheEnd, type PaymentInTheEnd } from './judge-bills.ts';
import { judgeEvents, toMinor } from './judge-events.ts';
import { judgeMoney, type AccountInTheEnd, type Entry } from './judge-money.ts';
import { judgePaymentWrites, type PaymentWrite } from './judge-payment-writes.ts';
import { judgeScreens, type StreamEvent } from './judge-screens.ts';
import type { Observed } from './observed.ts';
import type { Screens } from './screens.ts';

type Checked = {
  actors: Actors;
  observed: Observed;
  screens: Screens;
  readReference: () => Promise<StreamEvent[]>;
  /** Returns all database writes that concern payments from accounts. */
  readWrites: () => Promise<readonly PaymentWrite[]>;
  /** Returns what `npm run verify-ledger` has found; empty if the ledger is intact. */
  verifyLedger: () => Promise<string[]>;
  settlingMs: number;
};

/**
 * Returns a sentence for each broken promise; empty if every promise was kept. First waits until all events are published and
 * have reached the screens. If something can't be checked, adds a sentence that says so.
 */
export async function checkPromises(checked: Checked): Promise<string[]> {
  const { actors, observed, screens, readReference, settlingMs, readWrites, verifyLedger } = checked;
  const all: string[] = [...observed.broken];
  async function check(what: string, findBroken: () => Promise<string[]> | string[]): Promise<void> {
    const broken = await Promise.resolve()
      .then(findBroken)
      .catch((error: unknown) => [`${what} can't be checked: ${String(error)}`]);
    all.push(...broken);
  }
  await check('payments of bills', () => untilEnded(checked));
  let stream: StreamEvent[] = [];
  await check('the feed', async () => {
    stream = await settled({ read: readReference, judge: (events) => judgeEvents(events, observed), settlingMs });
    return judgeEvents(stream, observed);
  });
  await check('what screens received', async () => {
    await settled({
      read: () => screens.records,
      judge: (records) => judgeScreens(records, stream),
      settlingMs,
    });
    return judgeScreens(screens.records, stream);
  });
  await check('orders', () => checkOrders(actors, observed));
  await check('portions', () => checkPortions(actors, observed));
  await check('money', async () => judgeMoney(await readAccounts(actors), observed));
  await check('receipts', () => checkTransfers(actors, observed));
  await check('bills', async () => {
    const [payments, payers] = [await readPayments(actors, observed), await readPayers(actors)];
    return judgeBills({ stream, payments, payers, observed });
  });
  await check('the writes about payments', async () => judgePaymentWrites(await readWrites()));
  await check('the ledger', verifyLedger);
  return all;
}

type Settling<T> = { read: () => T | Promise<T>; judge: (value: T) => readonly string[]; settlingMs: number };
/**
 * Reads a value again and again until `judge` finds nothing broken, or until `settlingMs` is over. Returns the last value. Some
 * reads may fail: a new broker rejects readers of the stream until its own copy of the stream is running, some seconds later.
 */
async function settled<T>({ read, judge, settlingMs }: Settling<T>): Promise<T> {
  let last: { value: T } | undefined;
  let failure: unknown;
  const isSettled = async (): Promise<boolean> => {
    try {
      last = { value: await read() };
    } catch (error) {
      failure = error;
      return false;
    }
    return judge(last.value).length === 0;
  };
  await until(isSettled, { what: 'everything to settle', timeoutMs: settlingMs }).catch((error: unknown) => {
    if (!last) throw failure ?? error;
  });
  return last?.value as T;
}

/** Repeats a call until it gets a response that is not a 5xx, and returns that response. */
const get = async (call: () => Promise<Called>): Promise<Called> => {
  const attempt = (): Promise<Called | null> =>
    call().then(
      (response) => (response.status >= 500 ? null : response),
      () => null,
    );
  return until(attempt, { what: 'an answer', timeoutMs: 60_000 });
};

/** Checks that no change was lost for which a client got a 201 or 200. */
async function checkOrders({ manager }: Actors, { orders }: Observed): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, { versions, status, isUnknown }] of orders) {
    const { status: code, body } = await get(() => manager('GET', `/orders/${id}`));
    const version = Math.max(...versions);
    if (code !== 200) wrong.push(`order ${id} was accepted and is ${code}`);
    else if (body.version < version) wrong.push(`order ${id} was at version ${version} and is at ${body.version}`);
    else if (!isUnknown && body.status !== status) wrong.push(`order ${id} was ${status} and is ${body.status}`);
  }
  return wrong;
}

async function checkPortions({ manager, limited, scarce }: Actors, { portionsOf }: Observed): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id, portions } of [limited, scarce]) {
    const { body } = await get(() => manager('GET', `/menu/${id}`));
    const taken = portions - body.portions_left;
    const { ordered, givenBack, unknown } = portionsOf(id);
    const expected = ordered - givenBack;
    if (Math.abs(taken - expected) > unknown || body.portions_left < 0)
      wrong.push(`${taken} portions are taken, and clients observed ${expected} (${unknown} unknown)`);
  }
  return wrong;
}

async function readPayments({ manager }: Actors, { payments }: Observed): Promise<PaymentInTheEnd[]> {
  const read: PaymentInTheEnd[] = [];
  for (const [id, { billId }] of payments)
    read.push((await get(() => manager('GET', `/bills/${billId}/payments/${id}`))).body);
  return read;
}

/**
 * How long after the last token's expiry the services may still be working on its payment, in milliseconds. A transfer can be
 * posted for up to 10 s after the token has expired. After that, the services end the payment.
 */
const sweptAfterMs = 15_000;
/**
 * Waits until all payments have ended and the writes about them break no rule. Reports nothing itself: later checks report what
 * remains.
 */
async function untilEnded({ actors, observed, readWrites, settlingMs }: Checked): Promise<string[]> {
  const open = new Map(observed.payments);
  const haveEnded = async (): Promise<boolean> => {
    for (const payment of await readPayments(actors, { ...observed, payments: open }))
      if (hasEnded(payment)) open.delete(payment.id);
    return open.size === 0 && judgePaymentWrites(await readWrites()).length === 0;
  };
  const timeoutMs = Math.max(0, observed.lastTokenEndsAt - Date.now()) + sweptAfterMs + settlingMs;
  await until(haveEnded, { what: 'all payments to end', timeoutMs }).catch(() => undefined);
  return [];
}

async function readPayers({ payers, manager }: Actors): Promise<PayerInTheEnd[]> {
  const read: PayerInTheEnd[] = [];
  for (const { account, startMinor } of payers) {
    const { body } = await get(() => manager('GET', `/accounts/${account}`));
    read.push({ account, startMinor, balanceMinor: toMinor(body.balance) });
  }
  return read;
}

/** Returns each account's balance, and the account's entries since the first deposit in this run. */
async function readAccounts({ customers, manager }: Actors): Promise<AccountInTheEnd[]> {
  const accounts: AccountInTheEnd[] = [];
  for (const { account: id, startMinor } of customers) {
    const { body } = await get(() => manager('GET', `/accounts/${id}`));
    const entries: Entry[] = [];
    for (let next: string | null = `/accounts/${id}/entries?limit=100`; next !== null;) {
      const page: Called = await get(() => manager('GET', String(next)));
      for (const { kind, transfer_id: transferId, amount } of page.body)
        if (kind === 'internal_transfer') entries.push({ transferId, minor: toMinor(amount) });
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
    }
    accounts.push({ id, startMinor, balanceMinor: toMinor(body.balance), entries });
  }
  return accounts;
}

/** Checks that every transfer is as it was in the response to the client that made it. */
async function checkTransfers({ manager }: Actors, { transfers }: Observed): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, expected] of transfers) {
    const { status, body } = await get(() => manager('GET', `/accounts/internal-transfers/${id}`));
    const { from_account_id: from, to_account_id: to, amount } = body ?? {};
    if (status !== 200 || !isDeepStrictEqual({ from, to, minor: toMinor(amount) }, expected))
      wrong.push(`transfer ${id} was posted as ${JSON.stringify(expected)} and is ${status} ${amount}`);
  }
  return wrong;
}
