import type { Logger } from '@comanda/shared/runtime/logger';
import { every } from '@comanda/shared/runtime/every';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { ClusterTime } from '@comanda/shared/mongo/cluster-time';
import type { PublicKeys, Signer } from '@comanda/shared/crypto/statement';
import type { CheckpointMetrics } from './checkpoint-metrics.ts';
import { makeCheckpoints, type MakeCheckpointsDeps } from './make-checkpoints.ts';
import { createSignedHeads } from './signed-heads.ts';

type CheckpointTimerOptions = MakeCheckpointsDeps & {
  keys: { signer: () => Signer; trusted: () => PublicKeys };
  everyMs: number;
  /** Number of rows that this instance writes before it creates an early checkpoint. */
  everyRows: number;
  /** Returns true while the database is up. Checkpoints are attempted only then. */
  isUp: () => boolean;
  clock: Clock;
  logger: Logger;
  metrics: CheckpointMetrics;
};

/** How often the heads of all accounts are compared with the signed heads, even if they claim no change. */
const compareAllEveryMs = 3_600_000;
/** The shortest pause between two checkpoints. While the database is down, it is how often to check that. */
const minPauseMs = 100;
/** Number of periods without a checkpoint after which `/readyz` warns. */
const maxPeriods = 3;

/**
 * Creates a checkpoint every `everyMs`, and after `everyRows` rows. Rows newer than the last checkpoint could be removed from the
 * database without a trace. Each checkpoint is logged with its signature, so an attacker who removes one must also change the
 * logs. If checkpoints fail, this is never silent: errors are logged and counted, and the time since the last checkpoint is a
 * metric and a warning.
 */
export function startCheckpointTimer(options: CheckpointTimerOptions) {
  const { keys, everyMs, everyRows, isUp, clock, logger, metrics, ...deps } = options;
  const signedHeads = createSignedHeads(deps.checkpoints);
  let rowsWritten = 0;
  let isEarly = false;
  let nextFullAt = performance.now() + everyMs;
  let lastReadUntil: ClusterTime | undefined;
  let lastSignedMs = clock();
  let lastComparedMs = Number.NEGATIVE_INFINITY;
  const ageMs = (): number => Math.max(0, clock() - lastSignedMs);
  metrics.watchAge(() => ageMs() / 1000);

  /** An early checkpoint covers only the rows written since the last one. */
  async function run(): Promise<void> {
    const writtenAfter = isEarly ? lastReadUntil : undefined;
    if (!isEarly) nextFullAt = performance.now() + everyMs;
    [rowsWritten, isEarly] = [0, false];
    const startedMs = clock();
    const isComparing = writtenAfter === undefined && startedMs - lastComparedMs >= compareAllEveryMs;
    const { made, readUntil, defects, isBlocked } = await makeCheckpoints(deps, {
      signer: keys.signer(),
      trusted: keys.trusted(),
      now: new Date(startedMs),
      writtenAfter,
      signedHeads: isComparing ? signedHeads : undefined,
    });
    lastReadUntil = readUntil;
    for (const { number, heads, decisions, jws } of made)
      logger.info({ checkpoint: number, rows: heads.length + decisions.length, jws }, 'checkpoint');
    metrics.countDefects(defects.length);
    for (const defect of defects) logger.error({ defect }, 'the ledger was tampered with; run verify-ledger');
    if (isComparing) lastComparedMs = startedMs;
    if (!isBlocked && writtenAfter === undefined) lastSignedMs = startedMs;
  }
  const { wake, close } = every({
    run,
    everyMs: () => Math.max(minPauseMs, nextFullAt - performance.now()),
    firstAfterMs: everyMs,
    isReady: isUp,
    logger,
    failure: 'could not make a checkpoint; the next one covers the same rows',
  });
  return {
    /** Counts committed rows. Call this after each commit. */
    countRows: (rows: number): void => {
      rowsWritten += rows;
      if (rowsWritten < everyRows || isEarly || !isUp()) return;
      isEarly = true;
      wake();
    },
    /** Returns warnings for `/readyz`. */
    warnings: (): string[] =>
      ageMs() > maxPeriods * everyMs
        ? ['No checkpoint could be made for three periods: what was written since can be removed without a trace.']
        : [],
    close,
  };
}
