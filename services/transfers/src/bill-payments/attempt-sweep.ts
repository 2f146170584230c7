import { every, type Repeated } from '@comanda/shared/runtime/every';
import type { AttemptStore } from './attempt-store.ts';
import { endAttempt, type SettleAttemptDeps } from './settle-attempt.ts';

export type SweepAttemptsDeps = SettleAttemptDeps & {
  attempts: Pick<AttemptStore, 'findDue'>;
};
type Options = SweepAttemptsDeps & {
  attempts: Pick<AttemptStore, 'countAttempts'>;
  everyMs: number;
  /** Returns true while the database is up. The sweep runs only then. */
  isUp: () => boolean;
};
const maxAtOnce = 200;
/** How long the sweep skips a malformed attempt, in milliseconds. An operator must repair the attempt. */
const malformedAgainMs = 60_000;

/**
 * Ends all due attempts that can be ended now. An attempt that is malformed or can't be ended does not delay the others.
 * @throws the first error that prevented an attempt from being ended
 */
export async function sweepAttempts(deps: SweepAttemptsDeps): Promise<void> {
  const { attempts, malformed } = await deps.attempts.findDue(new Date(deps.clock()), maxAtOnce);
  const ended = await Promise.allSettled([
    ...attempts.map((attempt) => endAttempt(deps, attempt)),
    ...malformed.map((id) => leaveOut(deps, id)),
  ]);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

async function leaveOut({ attempts, clock, logger }: SweepAttemptsDeps, id: string): Promise<void> {
  logger.error({ note: id }, 'a note of a payment of a bill is not as it was written, and is left out');
  await attempts.postpone(id, new Date(clock() + malformedAgainMs));
}

/**
 * Starts the periodic sweep, which ends attempts that were left open because an instance crashed or the orders service was down.
 */
export function startAttemptSweep(options: Options): Repeated {
  const { attempts, everyMs, isUp, logger, metrics } = options;
  let count = 0;
  metrics.watchAttempts(() => count);
  return every({
    run: async () => {
      count = await attempts.countAttempts();
      await sweepAttempts(options);
    },
    everyMs,
    firstAfterMs: everyMs,
    isReady: isUp,
    logger,
    failure: 'a payment of a bill could not be settled with orders; it is tried again',
  });
}
