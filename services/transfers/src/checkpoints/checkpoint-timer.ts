import type { Logger } from '@comanda/shared/runtime/logger';
import type { Clock } from '@comanda/shared/runtime/clock';
import { makeCheckpoints } from './make-checkpoints.ts';
import type { MakeCheckpointsDeps } from './make-checkpoints.ts';

type CheckpointTimerOptions = Omit<MakeCheckpointsDeps, 'signer'> & {
  signer: () => MakeCheckpointsDeps['signer'];
  /** No checkpoint is attempted while the database does not answer. */
  isUp: () => boolean;
  clock: Clock;
  logger: Logger;
};

/**
 * Makes checkpoints once a period over all instances, or slightly more often. Each is logged with its signature: who
 * removes a checkpoint from the database must remove it from the logs as well.
 */
export function startCheckpointTimer({ isUp, clock, logger, signer, ...deps }: CheckpointTimerOptions) {
  let running: Promise<void> = Promise.resolve();
  async function run(): Promise<void> {
    try {
      for (const { number, heads, jws } of await makeCheckpoints({ ...deps, signer: signer() }, clock()))
        logger.info({ checkpoint: number, heads: heads.length, jws }, 'checkpoint');
    } catch (error) {
      logger.warn({ err: error }, 'could not make a checkpoint; the next one covers the same heads');
    }
  }
  const timer = setInterval(() => {
    if (isUp()) running = running.then(run);
  }, deps.everyMs);
  return {
    close: (): Promise<void> => {
      clearInterval(timer);
      return running;
    },
  };
}
