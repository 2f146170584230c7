import type { AttemptStore } from './attempt-store.ts';
import { endAttempt, type SettleAttemptDeps } from './settle-attempt.ts';

export type SweepAttemptsDeps = SettleAttemptDeps & {
  attempts: Pick<AttemptStore, 'findDue'>;
};
type Options = SweepAttemptsDeps & {
  attempts: Pick<AttemptStore, 'countAttempts'>;
  everyMs: number;
  /** While the database is down, nothing is swept. */
  isUp: () => boolean;
};
const maxAtOnce = 200;
/** When to look again at an unreadable document, which needs an operator. Until then, it does not delay others. */
const malformedAgainMs = 60_000;

/**
 * Ends all due attempts that can be ended. One that cannot be ended or read does not delay the others.
 * @throws the first error that kept one from ending
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

/** Ends the attempts that an instance could not end: after a crash of this or another one, and while orders was down. */
export function startAttemptSweep(options: Options) {
  const { attempts, everyMs, isUp, logger, metrics } = options;
  let running: Promise<void> | null = null;
  let count = 0;
  metrics.watchAttempts(() => count);

  async function sweep(): Promise<void> {
    try {
      count = await attempts.countAttempts();
      await sweepAttempts(options);
    } catch (error) {
      logger.warn({ err: error }, 'a payment of a bill could not be settled with orders; it is tried again');
    }
  }
  const timer = setInterval(() => {
    if (isUp()) running ??= sweep().finally(() => (running = null));
  }, everyMs);
  return {
    close: async (): Promise<void> => {
      clearInterval(timer);
      await running;
    },
  };
}
