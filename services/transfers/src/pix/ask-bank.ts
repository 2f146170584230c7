import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { every } from '@comanda/shared/runtime/every';
import { advanceReceipt } from './advance-receipt.ts';
import type { Bank } from './bank.ts';
import type { ChargeStore } from './charge-store.ts';
import type { MarkStore } from './mark-store.ts';
import { nextStepMs, type PixReceipt } from './pix-receipt.ts';
import { createBackoff, readAgain, readNewPix, type ReadBankDeps } from './read-bank.ts';
import type { ReceiptStore } from './receipt-store.ts';

type AskBankDeps = ReadBankDeps & {
  bank: Bank;
  charges: ChargeStore;
  receipts: ReceiptStore;
  marks: MarkStore;
};
type Options = AskBankDeps & {
  /** How often the bank is asked while a charge is open, in seconds. */
  askEveryS: number;
  /** Returns true while the database is up. */
  isUp: () => boolean;
};
export type BankAsking = {
  /**
   * Reads the hint of a bank: asks the bank at once. Hints ask at most once a second, so one that comes earlier waits for its
   * turn. Never fails, and its caller never waits.
   */
  hint: (content: string) => void;
  close: () => Promise<void>;
};

const leaseMs = 5000;
/** How often the bank is asked if no charge is open, in milliseconds. */
const idleMs = 60_000;
/** How long after a charge's end its Pix may still be on the way, in milliseconds. */
const graceMs = 60_000;
/** How long after a hint's question another one follows, in milliseconds, and how many at most: together a second. */
const againMs = 500;
const maxAgain = 2;
/** How long hints ask only once after one that named a Pix unknown to the bank, in milliseconds: anyone can invent ids. */
const doubtMs = 60_000;
/** How often a hint tries to get its turn, in milliseconds, and how many times. After that, another instance has asked. */
const turn = { everyMs: 200, times: 6 };
const maxDue = 50;
/** How many receipts the sweep continues at the same time. Charges need the rest of the bank's connections. */
const atOnce = 4;
const maxHinted = 20;

/**
 * Keeps asking the bank what was paid. Only the instance with the lease asks, with one question for all tables. Each instance
 * continues the steps of receipts that are due.
 */
export function startAskingBank(options: Options): BankAsking {
  const { bank, charges, receipts, marks, askEveryS, isUp, clock, logger } = options;
  const instance = randomUUID();
  const backoff = createBackoff(marks, clock);
  const nowDate = (): Date => new Date(clock());
  let isClosing = false;
  /** Until when hints are doubted, in milliseconds of `clock`. */
  let doubtedUntil = 0;
  const hasOpenCharge = (): Promise<boolean> => charges.hasOpen(new Date(clock() - graceMs));
  const takeLease = async (): Promise<boolean> => {
    const now = clock();
    return !isClosing && marks.takeLease(instance, { now: new Date(now), until: new Date(now + leaseMs) });
  };

  const readNew = oneAtATime(async () => {
    if (await marks.isPaused(nowDate())) return;
    await readNewPix(options).catch(backoff.fail);
    backoff.succeed();
  });

  async function ask(): Promise<void> {
    if (!(await takeLease()) || (await marks.isPaused(nowDate()))) return;
    // A reading may take longer than the lease.
    const keeper = setInterval(() => void takeLease().catch(() => undefined), leaseMs / 2).unref();
    try {
      const read = await marks.findRead();
      const ageMs = read === null ? Infinity : Math.abs(bank.now() - read.getTime());
      // If the lease is shorter than the pause, another instance may have asked just now.
      const isOwnTurn = askEveryS * 1000 <= leaseMs || ageMs >= (askEveryS * 1000) / 2;
      if (ageMs >= idleMs || (isOwnTurn && (await hasOpenCharge()))) await readNew();
      for (const name of ['late', 'returns'] as const) await readAgain(options, name).catch(backoff.fail);
    } finally {
      clearInterval(keeper);
    }
  }

  async function sweep(): Promise<void> {
    const due = await receipts.findDue(nowDate(), maxDue);
    const failures: unknown[] = [];
    for (let at = 0; at < due.length && !(await marks.isPaused(nowDate())); at += atOnce) {
      const done = await Promise.allSettled(due.slice(at, at + atOnce).map(continueOne));
      failures.push(...done.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Another instance that finds the same receipt does no harm: each step may be repeated. */
  async function continueOne(receipt: PixReceipt): Promise<void> {
    await receipts.postpone(receipt, new Date(clock() + nextStepMs));
    await advanceReceipt(options, receipt).catch(backoff.heed);
  }

  /**
   * Asks what was paid. Banks tell their time in whole seconds, so a Pix of this very second may be missed: if the named one is
   * not there, asks again until that second is over.
   */
  async function readHinted(ids: readonly string[]): Promise<void> {
    if (!(await hasOpenCharge())) return;
    await readNew();
    if (clock() < doubtedUntil) return;
    const areStored = async (): Promise<boolean> => (await receipts.findAll(ids)).size === ids.length;
    for (let tries = 0; tries < maxAgain; tries++) {
      if (await areStored()) return;
      await sleep(againMs);
      await readNew();
    }
    if (!(await areStored())) doubtedUntil = clock() + doubtMs;
  }

  async function getTurn(): Promise<boolean> {
    for (let tries = 0; tries < turn.times; tries++) {
      if (tries > 0) await sleep(turn.everyMs);
      if (isClosing || (await marks.isPaused(nowDate()))) return false;
      if (await marks.mayHint(nowDate())) return true;
    }
    return false;
  }

  /** The ids that hints have named since the last question. */
  const hinted = new Set<string>();
  const follow = oneAtATime(async () => {
    if (!isUp() || !(await getTurn())) return;
    const ids = [...hinted];
    hinted.clear();
    const known = await receipts.findAll(ids);
    await readHinted(ids);
    for (const receipt of known.values()) await advanceReceipt(options, receipt).catch(backoff.heed);
  });

  const asking = every({
    run: ask,
    everyMs: askEveryS * 1000,
    isReady: isUp,
    logger,
    failure: 'the bank could not be asked for Pix; it is asked again',
  });
  const sweeping = every({
    run: sweep,
    everyMs: 1000,
    isReady: isUp,
    logger,
    failure: 'a Pix could not be continued; it is tried again',
  });
  let following = Promise.resolve();
  return {
    hint: (content) => {
      for (const [, id = ''] of content.matchAll(/"endToEndId"\s*:\s*"([A-Za-z0-9]{1,64})"/g))
        if (hinted.size < maxHinted) hinted.add(id);
      following = follow().catch((error: unknown) =>
        logger.warn({ err: error }, 'a hint of the bank could not be followed'),
      );
    },
    close: async () => {
      isClosing = true;
      await marks.giveLeaseBack(instance).catch(() => undefined); // it ends by itself
      await Promise.all([asking.close(), sweeping.close(), following]);
      bank.close();
    },
  };
}

/**
 * Returns a function that never runs `run` twice at the same time. Calls during a run share the next one, because this one may
 * have begun before what they ask for.
 */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    return run();
  };
  return () => (last = next ??= last.then(start, start));
}
