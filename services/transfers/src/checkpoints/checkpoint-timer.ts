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
  /** The number of rows by this instance after which it creates a checkpoint early. */
  everyRows: number;
  /** Returns true while the database is up. Checkpoints are created only then. */
  isUp: () => boolean;
  clock: Clock;
  logger: Logger;
  metrics: CheckpointMetrics;
};

/**
 * How often the newest entries of all accounts are compared with the signed ones, in milliseconds, even if an account seems
 * unchanged.
 */
const compareAllEveryMs = 3_600_000;
/** The shortest pause between two checkpoints, in milliseconds. Also how often to check whether the database is up again. */
const minPauseMs = 100;
/** `/readyz` warns after this many periods without a checkpoint. */
const maxPeriods = 3;

/**
 * Creates a checkpoint every `everyMs`, and earlier after `everyRows` rows. Until a row is in a checkpoint, it could be removed
 * from the database without a trace. Each checkpoint's signature is logged, so an attacker who removes a checkpoint must also
 * change the logs. Failures are always visible: each error is logged and counted, and the time since the last checkpoint is a
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

  /** Creates the checkpoints that are due. An early checkpoint covers only the rows since the last one. */
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
    /** Counts committed rows, to create an early checkpoint in time. Call this after each commit. */
    countRows: (rows: number): void => {
      rowsWritten += rows;
      if (rowsWritten < everyRows || isEarly || !isUp()) return;
      isEarly = true;
      wake();
    },
    /** Returns a warning for `/readyz` if no checkpoint could be created for too long; otherwise an empty list. */
    warnings: (): string[] =>
      ageMs() > maxPeriods * everyMs
        ? ['No checkpoint could be made for three periods: what was written since can be removed without a trace.']
        : [],
    close,
  };
}
