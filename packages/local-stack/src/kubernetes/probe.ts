import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { portOf, type Container, type Probe } from './pod.ts';

type Probing = {
  container: Container;
  /** Where the container listens, on this machine. */
  address: string;
  signal: AbortSignal;
};

/** Whether one request of a probe is answered with success in time. */
function ask({ httpGet, timeoutSeconds = 1 }: Probe, { container, address }: Probing): Promise<boolean> {
  if (!httpGet) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = { host: address, port: portOf(container, httpGet.port), path: httpGet.path, agent: false };
  const asked = get({ ...options, signal: AbortSignal.timeout(timeoutSeconds * 1000) }, (answer) => {
    answer.resume();
    const status = answer.statusCode ?? 0;
    resolve(status >= 200 && status < 400);
  });
  asked.on('error', () => resolve(false));
  return promise;
}

/**
 * Asks a probe again and again until `signal` says so, and tells `onResult` what the probe says after each: it passes after
 * `successThreshold` successes, and fails after `failureThreshold` failures in a row.
 */
async function runProbe(
  probe: Probe,
  options: Probing & { onResult: (result: 'passes' | 'fails') => unknown },
): Promise<void> {
  const { onResult, signal } = options;
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3, successThreshold = 1 } = probe;
  let [passed, failed] = [0, 0];
  await rest(initialDelaySeconds, signal);
  while (!signal.aborted) {
    const isWell = await ask(probe, options);
    [passed, failed] = isWell ? [passed + 1, 0] : [0, failed + 1];
    if (signal.aborted) return;
    if (passed >= successThreshold) onResult('passes');
    if (failed >= failureThreshold) onResult('fails');
    await rest(periodSeconds, signal);
  }
}

const rest = (seconds: number, signal: AbortSignal): Promise<void> =>
  pause(seconds * 1000, undefined, { signal }).catch(() => undefined);

type Probed = {
  /** Where the container listens, on this machine. */
  address: string;
  signal: AbortSignal;
  onStarted: () => void;
  onReady: (isReady: boolean) => void;
  /** It has not started in time, or does not live any more. */
  onDead: () => void;
};

/** Runs the startup probe of a container; then, from its first success on, readiness and liveness. */
export async function runProbes(container: Container, probed: Probed): Promise<void> {
  const { address, signal, onStarted, onReady, onDead } = probed;
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const where = { container, address, signal };
  if (startupProbe) {
    const started = new AbortController();
    await runProbe(startupProbe, {
      ...where,
      signal: AbortSignal.any([signal, started.signal]),
      onResult: (result) => (result === 'passes' ? started.abort() : onDead()),
    });
    if (signal.aborted) return;
  }
  onStarted();
  if (!readinessProbe) onReady(true);
  await Promise.all([
    readinessProbe && runProbe(readinessProbe, { ...where, onResult: (result) => onReady(result === 'passes') }),
    livenessProbe && runProbe(livenessProbe, { ...where, onResult: (result) => result === 'fails' && onDead() }),
  ]);
}
