import type { AttemptStore } from './attempt-store.ts';
import { endAttempt, type SettleAttemptDeps } from './settle-attempt.ts';

type Options = SettleAttemptDeps & {
  attempts: Pick<AttemptStore, 'findDue' | 'countAttempts'>;
  everyMs: number;
  /** Nothing is swept while the database does not answer. */
  isUp: () => boolean;
};
const maxAtOnce = 200;

/** Ends the attempts that an instance could not end: after a crash of this or another one, and while orders was down. */
export function startAttemptSweep(options: Options) {
  const { attempts, everyMs, isUp, clock, logger, metrics } = options;
  let running: Promise<void> | null = null;
  let count = 0;
  metrics.watchAttempts(() => count);

  async function sweep(): Promise<void> {
    try {
      count = await attempts.countAttempts();
      const due = await attempts.findDue(new Date(clock()), maxAtOnce);
      // One that cannot be ended does not delay the others.
      const ended = await Promise.allSettled(due.map((attempt) => endAttempt(options, attempt)));
      const failed = ended.filter((each) => each.status === 'rejected');
      if (failed.length > 0) throw failed[0]?.reason;
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
