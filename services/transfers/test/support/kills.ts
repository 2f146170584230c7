import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure, type FailureCode } from '@comanda/client';
import { recordEvents } from '@comanda/testing/recorded-events';
import { until } from '@comanda/testing/until';
import { fromMinor } from '../../src/money.ts';
import { readStepUpToken } from '../../src/transfers/step-up-token.ts';
import { checkLedgerAfterKills, postedIds } from './check-ledger-after-kills.ts';
import { startKillableStack, type CallHeaders, type Customer, type KillableStack } from './killable-stack.ts';

export type KillReport = {
  kills: number;
  calls: number;
  /** How often each final answer was given. */
  answers: Record<string, number>;
  /** Transfers whose answer was lost at least once, and given again. */
  replayed: number;
  /** Spent tokens that were used again for another call. */
  reusedTokens: number;
  /** Empty when every promise was kept. */
  broken: string[];
};
/** One call, and the answer that ended its retries. */
export type FinalAnswer = {
  key: string;
  from: number;
  to: number;
  amountMinor: bigint;
  answer: string;
  id: number | null;
};
export type Work = { answers: FinalAnswer[]; undecided: string[]; replayed: number; reusedTokens: string[] };
type Options = { rabbitmqUrl: string; kills: number };

/** A step-up token lives 120 s; 10 s later every call with it is decided. A little more for a machine that is busy. */
const decisionTimeLimitMs = 150_000;
const customers = 4;
const clientsPerCustomer = 6;
const tooMuchMinor = 9_999_999_999n;

/**
 * Two instances of transfers, mongod, redis-server and auth-stepup are killed in turn, each while a transfer is under
 * way, and clients repeat each call until its answer is final; then everything is counted.
 */
export async function runKills({ rabbitmqUrl, kills }: Options): Promise<KillReport> {
  const stack = await startKillableStack({ customers, rabbitmqUrl });
  const events = await recordEvents(rabbitmqUrl);
  try {
    const clients = startClients(stack);
    for (let kill = 1; kill <= kills; kill++) await killOne(stack, kill);
    await stack.ready();
    const work = await clients.stop();
    const posted = await postedIds(stack.ledger);
    const allPublished = (): boolean => {
      const ids = new Set(events.all.map(({ subject }) => Number(subject)));
      return posted.every((id) => ids.has(id));
    };
    await until(allPublished, { timeoutMs: 60_000, what: 'an event of each transfer' });
    return {
      kills,
      ...count(work),
      broken: [...(await checkLedgerAfterKills(stack, work)), ...stack.internalErrors()],
    };
  } finally {
    await events.close();
    await stack.close();
  }
}

function count({ answers: given, undecided, replayed, reusedTokens }: Work): Omit<KillReport, 'kills' | 'broken'> {
  const answers: Record<string, number> = {};
  for (const { answer } of given) answers[answer] = (answers[answer] ?? 0) + 1;
  return { calls: given.length + undecided.length, answers, replayed, reusedTokens: reusedTokens.length };
}

async function killOne(stack: KillableStack, kill: number): Promise<void> {
  const [firstUrl, secondUrl] = stack.urls;
  const targets = [
    { kill: () => stack.killTransfers(0), at: firstUrl },
    { kill: stack.killMongod, at: undefined },
    { kill: () => stack.killTransfers(1), at: secondUrl },
    { kill: stack.killRedis, at: undefined },
    { kill: stack.killAuthStepup, at: undefined },
  ];
  const target = targets[kill % targets.length];
  await stack.traffic.moment(target?.at);
  await target?.kill();
}

function startClients(stack: KillableStack) {
  const work: Work = { answers: [], undecided: [], replayed: 0, reusedTokens: [] };
  let stopped = false;

  async function sendOnce(customer: Customer): Promise<void> {
    const to = stack.customers[randomInt(stack.customers.length)] as Customer;
    if (to === customer) return;
    const amountMinor = randomInt(10) === 0 ? tooMuchMinor : BigInt(randomInt(1, 100_000));
    const call = { key: randomUUID(), from: customer.account, to: to.account, amountMinor };
    const deadline = performance.now() + decisionTimeLimitMs;
    while (performance.now() < deadline) {
      const final = await sendAsClient(customer, call);
      if (final) {
        work.answers.push({ ...call, answer: final.answer, id: final.id });
        if (final.replayed) work.replayed++;
        const headers = customer.takeHeaders(call.key);
        if (headers && randomInt(5) === 0) await reuseToken(customer, call, headers);
        return;
      }
    }
    work.undecided.push(call.key);
  }

  /** An attacker has a spent token, and Redis has lost that it is spent. */
  async function reuseToken(
    customer: Customer,
    { from, to }: { from: number; to: number },
    headers: CallHeaders,
  ): Promise<void> {
    const jti = readStepUpToken(headers['x-step-up-token'])?.jti ?? '';
    const key = randomUUID();
    work.reusedTokens.push(key);
    const body = JSON.stringify({ from_account_id: from, to_account_id: to, amount: '1.00' });
    const reused = { ...headers, 'content-type': 'application/json', 'idempotency-key': key };
    const url = `${stack.urls[randomInt(2)]}/accounts/internal-transfers`;
    const posting = stack
      .unspend({ userId: customer.id, jti })
      .then(() => fetch(url, { method: 'POST', headers: reused, body }));
    // Only the ledger matters: the instance may be killed during this call.
    await Promise.allSettled([posting]);
  }
  async function runClient(customer: Customer): Promise<void> {
    while (!stopped) await sendOnce(customer);
  }
  const working = Promise.all(
    stack.customers.flatMap((customer) => Array.from({ length: clientsPerCustomer }, () => runClient(customer))),
  );
  return {
    stop: async (): Promise<Work> => {
      stopped = true;
      await working;
      return work;
    },
  };
}

type Final = { answer: string; id: number | null; replayed: boolean };
/** Nothing was decided, however often the client library tried: the caller tries again. */
const undecided: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'request_in_progress',
  'step_up_invalid',
  'step_up_expired',
  'step_up_used',
]);

/** Null if nothing was decided. */
async function sendAsClient(customer: Customer, { key, from, to, amountMinor }: Omit<FinalAnswer, 'answer' | 'id'>) {
  const input = { from_account_id: from, to_account_id: to, amount: fromMinor(amountMinor) };
  try {
    const { body, headers } = await customer.client.ask('transferMoney', input, { idempotencyKey: key });
    return { answer: '201', id: body.id, replayed: headers.get('idempotent-replayed') === 'true' } satisfies Final;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { code, problem } = error;
    if (code === 'authentication_required') await customer.signIn();
    else if (undecided.has(code)) await sleep(50);
    else return { answer: `${problem?.status} ${code}`, id: null, replayed: false } satisfies Final;
    return null;
  }
}
