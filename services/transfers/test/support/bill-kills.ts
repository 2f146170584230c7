import { setTimeout as sleep } from 'node:timers/promises';
import { checkBillsAfterKills, findUnended, type StoredPayment } from './check-bills-after-kills.ts';
import { startBillKillStack, type BillKillStack, type Target } from './bill-kill-stack.ts';
import { dine, type Dinners } from './bill-kill-diners.ts';
import { recordHistory } from './record-history.ts';
import { firstUnknownStep, type History, type Known } from './replay-history.ts';
import { seededRandom } from './seeded-random.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export type BillKillReport = {
  /** The same seed makes the same choices. */
  seed: number;
  /** By what it was done to. */
  kills: Record<string, number>;
  freezes: Record<string, number>;
  tried: Dinners['tried'];
  answers: Dinners['answers'];
  /** Payments by their status at the end. */
  payments: Record<string, number>;
  /** Writes that were found to be steps of the model. */
  writes: number;
  /** How long after everything was up, and all tokens could post no more, the last payment ended, in milliseconds. */
  lastEndMs: number;
  /** Empty when every promise was kept. */
  broken: string[];
};
type Options = { rabbitmqUrl: string; faults: number; diners: number; seed: number };
type Random = (below: number) => number;
type Faults = Pick<BillKillReport, 'kills' | 'freezes'>;

const leastPosted = 60;
const longestFreezeMs = 1000;
/** Between two faults, so that some payments go through undisturbed. */
const longestPauseMs = 500;
/** Longer than a token lives, with the time after which the sweep gives it up: then the instance wakes, and goes on. */
const longFreezeMs = 26_000;
const longFreezeEvery = 100;

/**
 * Customers pay bills from their accounts, managers give payments back, and meanwhile each service and server is killed or
 * frozen at random moments, two at a time. Then everything is counted, and each write is looked for in the model.
 */
export async function runBillKills({ rabbitmqUrl, faults, diners, seed }: Options): Promise<BillKillReport> {
  const random = seededRandom(seed);
  const stack = await startBillKillStack({ rabbitmqUrl, diners });
  const { uri } = stack.ledger;
  const recorder = await recordHistory({ uri, ordersDatabase: stack.ordersDatabase });
  const traffic = createTraffic(seededRandom(random(2 ** 31)));
  const dinners: Dinners = { tried: {}, answers: {}, posted: [], lastTokenEndsAt: 0 };
  const done: Faults = { kills: {}, freezes: {} };
  try {
    let isOver = false;
    let isQuiet = false;
    const dining = Promise.all(
      stack.diners.map((diner) => {
        const own = { stack, traffic, dinners, random: seededRandom(random(2 ** 31)) };
        return dine(own, diner, { isOver: () => isOver, isQuiet: () => isQuiet });
      }),
    );
    const { frozenLong } = await doFaults({ stack, traffic, random, faults, done });
    // Each way of paying many times, however few faults there are and however slow the machine is.
    while (dinners.posted.length < leastPosted) await sleep(100);
    isQuiet = true; // there are still calls when an instance that is frozen goes on
    await Promise.all(frozenLong);
    isOver = true;
    await Promise.all([stack.ready(), dining]);
    const upAt = Date.now();
    await untilEnded(stack, dinners.lastTokenEndsAt);
    const lastEndMs = Date.now() - Math.max(upAt, dinners.lastTokenEndsAt);
    const histories = await recorder.stop();
    const { payments, broken } = await checkBillsAfterKills(stack, dinners);
    return {
      seed,
      ...done,
      tried: dinners.tried,
      answers: dinners.answers,
      payments: countStatuses(payments),
      writes: histories.reduce((count, { stored }) => count + stored.length, 0),
      lastEndMs,
      broken: [...broken, ...(await findUnknownSteps(histories)), ...stack.internalErrors()],
    };
  } finally {
    await recorder.close();
    await stack.close();
  }
}

function countStatuses(payments: readonly StoredPayment[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of payments) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function findUnknownSteps(histories: readonly History[]): Promise<string[]> {
  const found: string[] = [];
  const known: Known = new Map();
  for (const history of histories) {
    const step = await firstUnknownStep(history, known);
    if (step !== null) found.push(step);
  }
  return found;
}

type Doing = { stack: BillKillStack; traffic: Traffic; random: Random; faults: number; done: Faults };

/**
 * Two faults at a time, of different targets, and at the beginning of each hundred a long freeze of transfers, whose end
 * is not waited for.
 */
async function doFaults({ stack, traffic, random, faults, done }: Doing): Promise<{ frozenLong: Promise<void>[] }> {
  const busy = new Set<Target>();
  const frozenLong: Promise<void>[] = [];
  let left = faults;
  async function freezeLong(target: Target): Promise<void> {
    await target.freeze(longFreezeMs);
    busy.delete(target);
  }
  async function doOne(choose: Random): Promise<void> {
    const free = stack.targets.filter((target) => !busy.has(target));
    const target = free[choose(free.length)];
    if (!target) return;
    busy.add(target);
    const isKill = choose(2) === 0;
    const forMs = 1 + choose(longestFreezeMs);
    await traffic.moment();
    const counts = isKill ? done.kills : done.freezes;
    counts[target.name] = (counts[target.name] ?? 0) + 1;
    await (isKill ? target.kill() : target.freeze(forMs));
    busy.delete(target);
    await sleep(choose(longestPauseMs));
  }
  async function run(choose: Random): Promise<void> {
    while (left > 0) {
      const [transfers] = stack.targets;
      const isFirst = left-- % longFreezeEvery === faults % longFreezeEvery;
      if (isFirst && !busy.has(transfers)) {
        busy.add(transfers); // before anything is waited for: nobody kills it meanwhile
        done.freezes['transfers 1, long'] = (done.freezes['transfers 1, long'] ?? 0) + 1;
        await traffic.moment(stack.transfersUrls[0]);
        frozenLong.push(freezeLong(transfers));
      }
      await doOne(choose);
    }
  }
  await Promise.all([run(seededRandom(random(2 ** 31))), run(seededRandom(random(2 ** 31)))]);
  return { frozenLong };
}

/** Waits until no payment is claimed and no attempt is left; much longer than promised, because the machine may be busy. */
async function untilEnded(stack: BillKillStack, lastTokenEndsAt: number): Promise<void> {
  const deadline = Math.max(Date.now(), lastTokenEndsAt) + 60_000;
  while ((await findUnended(stack)) > 0 && Date.now() < deadline) await sleep(100);
}
