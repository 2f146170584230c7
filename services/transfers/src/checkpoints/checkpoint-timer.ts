import type { Logger } from '@comanda/shared/runtime/logger';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { ClusterTime } from '@comanda/shared/mongo/cluster-time';
import type { PublicKeys, Signer } from '../receipts/statement.ts';
import { makeCheckpoints, type MakeCheckpointsDeps } from './make-checkpoints.ts';

type CheckpointTimerOptions = MakeCheckpointsDeps & {
  keys: { signer: () => Signer; trusted: () => PublicKeys };
  everyMs: number;
  /** Rows that this instance writes before it makes a checkpoint earlier than that. */
  everyRows: number;
  /** No checkpoint is attempted while the database does not answer. */
  isUp: () => boolean;
  clock: Clock;
  logger: Logger;
};

/**
 * Makes a checkpoint every `everyMs`, and one after `everyRows` rows: what was written after the newest one can be
 * removed from the database without a trace. Each is logged with its signature: who removes a checkpoint from the
 * database must remove it from the logs as well.
 */
export function startCheckpointTimer(options: CheckpointTimerOptions) {
  const { keys, everyMs, everyRows, isUp, clock, logger, ...deps } = options;
  let running: Promise<void> = Promise.resolve();
  let rowsWritten = 0;
  let lastReadUntil: ClusterTime | undefined;

  async function run(writtenAfter: ClusterTime | undefined): Promise<void> {
    rowsWritten = 0;
    try {
      const input = { signer: keys.signer(), trusted: keys.trusted(), now: new Date(clock()), writtenAfter };
      const { made, readUntil } = await makeCheckpoints(deps, input);
      lastReadUntil = readUntil;
      for (const { number, heads, decisions, jws } of made)
        logger.info({ checkpoint: number, rows: heads.length + decisions.length, jws }, 'checkpoint');
    } catch (error) {
      logger.warn({ err: error }, 'could not make a checkpoint; the next one covers the same rows');
    }
  }
  const timer = setInterval(() => {
    if (isUp()) running = running.then(() => run(undefined));
  }, everyMs);
  return {
    /** To be called after each commit. */
    countRows: (rows: number): void => {
      rowsWritten += rows;
      if (rowsWritten < everyRows || !isUp()) return;
      rowsWritten = Number.NEGATIVE_INFINITY; // until this checkpoint begins
      running = running.then(() => run(lastReadUntil));
    },
    close: (): Promise<void> => {
      clearInterval(timer);
      return running;
    },
  };
}
