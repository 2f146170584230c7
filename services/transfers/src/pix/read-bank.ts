import type { Clock } from '@comanda/shared/runtime/clock';
import { BankUnavailable } from './bank-connection.ts';
import type { Bank } from './bank.ts';
import type { MarkStore, PeriodName } from './mark-store.ts';
import { takeIn, type TakeInDeps } from './take-in.ts';

export type ReadBankDeps = TakeInDeps & {
  bank: Pick<Bank, 'listPix' | 'open' | 'now'>;
  marks: Pick<MarkStore, 'findRead' | 'setRead' | 'findPeriod' | 'setPeriod' | 'setPause' | 'isPaused'>;
  clock: Clock;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** How far a reading goes back behind the end of the last one: a bank may list a Pix a little late. */
const overlapMs = 15 * minuteMs;
/** Banks answer at most this long a period at once. */
const maxPeriodMs = dayMs;

/**
 * What is read again, because the bank reports it late. `late`: Pix that were held or scheduled. `returns`: money that went back;
 * the list has the time of the Pix, not of its return.
 */
const again: Record<PeriodName, { backMs: number; hasReturns: boolean; startsAt: (now: number) => number }> = {
  late: { backMs: 2 * dayMs, hasReturns: false, startsAt: (now) => now - dayMs },
  // 06:00 in UTC is 03:00 in Brasília.
  returns: {
    backMs: 90 * dayMs,
    hasReturns: true,
    startsAt: (now) => Math.floor((now - 6 * hourMs) / dayMs) * dayMs + 6 * hourMs,
  },
};

/**
 * Asks the bank for all Pix since the last whole reading, and takes them in.
 * @throws BankUnavailable; nobody asks again until its pause is over
 */
export async function readNewPix(deps: ReadBankDeps): Promise<void> {
  await deps.bank.open();
  const until = deps.bank.now();
  const read = await deps.marks.findRead();
  let from = read === null ? until - dayMs : Math.min(read.getTime(), until) - overlapMs;
  while (from < until) {
    const to = Math.min(from + maxPeriodMs, until);
    const refusedWith = await readPeriod(deps, { from, to, hasReturns: false });
    if (refusedWith !== null) throw new Error(`the bank answered GET /pix with ${refusedWith}`);
    await deps.marks.setRead(new Date(to));
    from = to;
  }
}

/**
 * Reads one part of what must be read again, if there is any: each day the last 48 hours, each night all returns of 90 days. A
 * part is at most a day, so that new Pix don't wait. A part that the bank refuses, because it is too old for example, is left out.
 */
export async function readAgain(deps: ReadBankDeps, name: PeriodName): Promise<void> {
  const { backMs, hasReturns, startsAt } = again[name];
  await deps.bank.open();
  const now = deps.bank.now();
  const last = await deps.marks.findPeriod(name);
  const isDue = !last || last.at.getTime() < startsAt(now);
  const period = isDue ? { at: new Date(now), next: new Date(now - backMs), until: new Date(now) } : last;
  if (period.next >= period.until) return;
  const from = period.next.getTime();
  const to = Math.min(from + maxPeriodMs, period.until.getTime());
  const refusedWith = await readPeriod(deps, { from, to, hasReturns });
  if (refusedWith !== null)
    deps.logger.error(
      { from: new Date(from), to: new Date(to), refusedWith },
      `the bank does not say what ${hasReturns ? 'it has returned' : 'came late'} in a period, which is left out`,
    );
  await deps.marks.setPeriod(name, { ...period, next: new Date(to) });
}

type Range = { from: number; to: number; hasReturns: boolean };

/**
 * Reads all pages of a period. Returns the status with which the bank refuses one; null if it refuses none.
 * @throws Error if the bank repeats a page: the period was not read whole
 */
async function readPeriod(deps: ReadBankDeps, { from, to, hasReturns }: Range): Promise<number | null> {
  const range = { from: new Date(from), to: new Date(to), hasReturns };
  let before: string | undefined;
  for (let page = 0, pages = 1; page < pages; page++) {
    const listed = await deps.bank.listPix({ ...range, page });
    if ('refusedWith' in listed) return listed.refusedWith;
    const first = listed.pix[0]?.endToEndId;
    if (first !== undefined && first === before) throw new Error('the bank repeats a page of GET /pix');
    if (listed.unreadable > 0)
      deps.logger.error({ count: listed.unreadable }, 'Pix without an id, amount or time are listed, and left out');
    before = first;
    pages = listed.pages;
    await takeIn(deps, listed.pix);
  }
  return null;
}

/** How long the bank is left alone after a failure, in milliseconds: as it says, else 2 s, doubling to a minute. */
export function createBackoff(marks: Pick<MarkStore, 'setPause'>, clock: Clock) {
  let failures = 0;
  const pause = (ms: number): Promise<void> =>
    marks.setPause({ now: new Date(clock()), until: new Date(clock() + ms) });
  const askedBy = (error: unknown): number | null => (error instanceof BankUnavailable ? error.retryAfterMs : null);
  return {
    succeed: (): void => {
      failures = 0;
    },
    /** @throws `error` */
    fail: async (error: unknown): Promise<never> => {
      const own = Math.min(2000 * 2 ** failures++, minuteMs);
      await pause(askedBy(error) ?? own);
      throw error;
    },
    /** Leaves the bank alone if it has asked for that. @throws `error` */
    heed: async (error: unknown): Promise<never> => {
      const asked = askedBy(error);
      if (asked !== null) await pause(asked);
      throw error;
    },
  };
}
