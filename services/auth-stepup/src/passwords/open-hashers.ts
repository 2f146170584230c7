import type { Metrics } from '@comanda/shared/runtime/metrics';
import type { Shutdown } from '@comanda/shared/runtime/shutdown';
import type { AuthStepupConfig } from '../config.ts';
import { openPinHasher } from '../pin/pin-hasher.ts';
import { createHasherMetrics } from './hasher-metrics.ts';
import { createPasswordHasher } from './password-hasher.ts';

type Options = {
  config: AuthStepupConfig;
  /** The bcrypt cost: bcrypt runs 2^cost rounds. */
  hashCost: number;
  metrics: Metrics;
  shutdown: Shutdown;
};

/** Creates the hashers for passwords and PINs, each with its own threads. */
export function openHashers({ config, hashCost: cost, metrics, shutdown }: Options) {
  const hasherMetrics = createHasherMetrics(metrics);
  const hasher = createPasswordHasher({
    cost,
    maxThreads: config.hashWorkers,
    maxWaiting: config.hashQueue,
    maxWaitMs: config.hashWaitMs,
    metrics: hasherMetrics,
  });
  shutdown.add('hasher of passwords', hasher.close);
  const pinHasher = openPinHasher({
    cost,
    maxThreads: config.pinHashWorkers,
    maxWaiting: config.pinHashQueue,
    maxWaitMs: config.pinHashWaitMs,
    peppers: config.pinPepper,
    metrics: hasherMetrics,
  });
  shutdown.add('hasher of PINs', pinHasher.close);
  return { hasher, pinHasher };
}
