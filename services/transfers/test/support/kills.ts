import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '@comanda/client';
import type { FailureCode } from '@comanda/client';
import { recordEvents } from '@comanda/testing/recorded-events';
import { until } from '@comanda/testing/until';
import { fromMinor } from '../../src/money.ts';
import { readStepUpToken } from '../../src/transfers/step-up-token.ts';
import { checkBooks, postedIds } from './kills-books.ts';
import { startKillableHouse } from './killable-house.ts';
import type { KillableHouse, Shown, Somebody } from './killable-house.ts';

export type KillReport = {
  kills: number;
  calls: number;
  /** How often each final answer was given. */
  answers: Record<string, number>;
  /** Transfers whose answer was lost at least once, and given again. */
  replayed: number;
  /** Spent tokens that were shown again with another call. */
  shownAgain: number;
  /** Empty when every promise was kept. */
  broken: string[];
};
/** One call, and the answer that ended its retries. */
export type Told = { key: string; from: number; to: number; amountMinor: bigint; answer: string; id: number | null };
export type Work = { told: Told[]; undecided: string[]; replayed: number; shownAgain: string[] };
type Options = { rabbitmqUrl: string; kills: number; onKill?: (kill: number) => void };

/** A step-up token lives 120 s; 10 s later every call with it is decided. A little more for a machine that is busy. */
const decidedWithinMs = 150_000;
const people = 4;
const handsOfEach = 6;
const tooMuchMinor = 9_999_999_999n;

/**
 * Two instances of transfers, mongod, redis-server and auth-stepup are killed in turn, each while a transfer is under
 * way, and hands repeat each call until its answer is final; then everything is counted.
 */
export async function runKills({ rabbitmqUrl, kills, onKill }: Options): Promise<KillReport> {
  const house = await startKillableHouse({ people, rabbitmqUrl });
  const heard = await recordEvents(rabbitmqUrl);
  try {
    const hand = startHands(house);
    for (let kill = 1; kill <= kills; kill++) {
      await killOne(house, kill);
      onKill?.(kill);
    }
    await house.ready();
    const work = await hand.stop();
    const posted = await postedIds(house.ledger);
    const isTold = (): boolean => {
      const ids = new Set(heard.all.map(({ subject }) => Number(subject)));
      return posted.every((id) => ids.has(id));
    };
    await until(isTold, { timeoutMs: 60_000, what: 'an event of each transfer' });
    return { kills, ...count(work), broken: [...(await checkBooks(house, work)), ...house.internalErrors()] };
  } finally {
    await heard.close();
    await house.stop();
  }
}

function count({ told, undecided, replayed, shownAgain }: Work): Omit<KillReport, 'kills' | 'broken'> {
  const answers: Record<string, number> = {};
  for (const { answer } of told) answers[answer] = (answers[answer] ?? 0) + 1;
  return { calls: told.length + undecided.length, answers, replayed, shownAgain: shownAgain.length };
}

async function killOne(house: KillableHouse, kill: number): Promise<void> {
  const [one, other] = house.urls;
  const deaths = [
    { of: () => house.killTransfers(0), at: one },
    { of: house.killMongod, at: undefined },
    { of: () => house.killTransfers(1), at: other },
    { of: house.killRedis, at: undefined },
    { of: house.killAuthStepup, at: undefined },
  ];
  const death = deaths[kill % deaths.length];
  await house.traffic.moment(death?.at);
  await death?.of();
}

function startHands(house: KillableHouse) {
  const work: Work = { told: [], undecided: [], replayed: 0, shownAgain: [] };
  let stopped = false;

  async function sendOnce(who: Somebody): Promise<void> {
    const to = house.people[randomInt(house.people.length)] as Somebody;
    if (to === who) return;
    const amountMinor = randomInt(10) === 0 ? tooMuchMinor : BigInt(randomInt(1, 100_000));
    const call = { key: randomUUID(), from: who.account, to: to.account, amountMinor };
    const deadline = performance.now() + decidedWithinMs;
    while (performance.now() < deadline) {
      const final = await sendAsClient(who, call);
      if (final) {
        work.told.push({ ...call, answer: final.answer, id: final.id });
        if (final.replayed) work.replayed++;
        const shown = who.takeShown(call.key);
        if (shown && randomInt(5) === 0) await showAgain(who, call, shown);
        return;
      }
    }
    work.undecided.push(call.key);
  }

  /** A thief has got hold of a spent token, and Redis has come back with yesterday's memory. */
  async function showAgain(who: Somebody, { from, to }: { from: number; to: number }, shown: Shown): Promise<void> {
    const jti = readStepUpToken(shown['x-step-up-token'])?.jti ?? '';
    const key = randomUUID();
    work.shownAgain.push(key);
    const body = JSON.stringify({ from_account_id: from, to_account_id: to, amount: '1.00' });
    const headers = { ...shown, 'content-type': 'application/json', 'idempotency-key': key };
    const url = `${house.urls[randomInt(2)]}/accounts/internal-transfers`;
    const posting = house.unspend(who.id, jti).then(() => fetch(url, { method: 'POST', headers, body }));
    // What matters is what is in the books: it may well be killed under this call.
    await Promise.allSettled([posting]);
  }
  async function hand(who: Somebody): Promise<void> {
    while (!stopped) await sendOnce(who);
  }
  const working = Promise.all(house.people.flatMap((who) => Array.from({ length: handsOfEach }, () => hand(who))));
  return {
    stop: async (): Promise<Work> => {
      stopped = true;
      await working;
      return work;
    },
  };
}

type Final = { answer: string; id: number | null; replayed: boolean };
/** Nothing was decided, however long the client tried: whoever holds it in their hand tries again. */
const undecided: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'request_in_progress',
  'step_up_invalid',
  'step_up_expired',
  'step_up_used',
]);

/** Null where nothing was decided. */
async function sendAsClient(who: Somebody, { key, from, to, amountMinor }: Omit<Told, 'answer' | 'id'>) {
  const input = { from_account_id: from, to_account_id: to, amount: fromMinor(amountMinor) };
  try {
    const { body, headers } = await who.client.ask('transferMoney', input, { idempotencyKey: key });
    return { answer: '201', id: body.id, replayed: headers.get('idempotent-replayed') === 'true' } satisfies Final;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { code, problem } = error;
    if (code === 'authentication_required') await who.signIn();
    else if (undecided.has(code)) await sleep(50);
    else return { answer: `${problem?.status} ${code}`, id: null, replayed: false } satisfies Final;
    return null;
  }
}
