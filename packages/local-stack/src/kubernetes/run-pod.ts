import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess, type OnSpawn, type ServerProcess } from '../servers/server-process.ts';
import { onThisMachine } from './addresses.ts';
import { containerOf, type Pod } from './pod.ts';
import type { PodProcess } from './pod-process.ts';
import type { PodState } from './pod-status.ts';
import { runProbes } from './probe.ts';

export type RunningPod = {
  /** As after `kubectl delete`: the `preStop` pause, SIGTERM, and SIGKILL at the end of the grace period. */
  stop: (graceSeconds: number) => Promise<void>;
  process: PodProcess;
  /** As Kubernetes has it. */
  address: string;
  /** The process, while it runs. */
  pid: () => number | null;
  logFile: string;
  /** Where in the file each life of the container begins. */
  logStarts: () => readonly number[];
};
type Options = {
  pod: Pod;
  address: string;
  process: PodProcess;
  logFile: string;
  report: (state: PodState) => void;
  onSpawn: OnSpawn;
};

/** How long a container that has ended is left alone before it is started again: longer each time, as a kubelet does. */
const backOffMs = (restarts: number): number => Math.min(300_000, 10_000 * 2 ** (restarts - 1));

/** Runs the container of a pod with its probes, and starts it again if the pod wants that, until it is stopped. */
export function runPod({ pod, address, process: planned, logFile, report, onSpawn }: Options): RunningPod {
  const container = containerOf(pod);
  const { name } = pod.metadata;
  const stopping = new AbortController();
  let running: ServerProcess | undefined;
  const logStarts: number[] = [];
  const state: PodState = {
    address,
    createdAt: Date.now(),
    container: { name: container.name, image: container.image },
    restarts: 0,
    isStarted: false,
    isReady: false,
    readyChangedAt: Date.now(),
    now: { kind: 'waiting', reason: 'ContainerCreating' },
  };
  function change(changed: Partial<PodState>): void {
    const readyChanged = changed.isReady !== undefined && changed.isReady !== state.isReady;
    Object.assign(state, changed, readyChanged && { readyChangedAt: Date.now() });
    report(state);
  }

  /** One life of the container. */
  async function runOnce(): Promise<number> {
    logStarts.push(existsSync(logFile) ? statSync(logFile).size : 0);
    const process = await startProcess({ name, ...planned, logFile, onSpawn });
    running = process;
    const since = Date.now();
    change({ now: { kind: 'running', since } });
    const over = new AbortController();
    const probing = runProbes(container, {
      address: onThisMachine(address),
      signal: over.signal,
      onStarted: () => change({ isStarted: true }),
      onReady: (isReady) => isReady !== state.isReady && change({ isReady }),
      onDead: () => void endWithin(process, pod.spec.terminationGracePeriodSeconds ?? 30),
    });
    const exit = await process.exited;
    over.abort();
    await probing;
    running = undefined;
    const code = exit.code ?? 137;
    const isFinal = pod.spec.restartPolicy === 'Never' || stopping.signal.aborted;
    change({ isStarted: false, isReady: false, now: { kind: 'ended', code, since, at: Date.now(), isFinal } });
    return code;
  }

  async function runAlways(): Promise<void> {
    for (;;) {
      await runOnce();
      if (pod.spec.restartPolicy === 'Never' || stopping.signal.aborted) return;
      const waitMs = backOffMs(state.restarts + 1);
      change({ restarts: state.restarts + 1 });
      if (state.restarts > 1) change({ now: { kind: 'waiting', reason: 'CrashLoopBackOff' } });
      await pause(state.restarts > 1 ? waitMs : 0, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  }
  const ended = runAlways();
  return {
    logFile,
    logStarts: () => logStarts,
    address,
    process: planned,
    pid: () => running?.pid ?? null,
    stop: async (graceSeconds) => {
      if (stopping.signal.aborted) return ended;
      const until = Date.now() + graceSeconds * 1000;
      const { seconds = 0 } = container.lifecycle?.preStop?.sleep ?? {};
      stopping.abort();
      if (running && graceSeconds > 0) await Promise.race([pause(seconds * 1000), running.exited]);
      if (running) await endWithin(running, Math.max(0, (until - Date.now()) / 1000));
      return ended;
    },
  };
}

/** SIGTERM, and SIGKILL after so long. */
async function endWithin(process: ServerProcess, seconds: number): Promise<void> {
  if (seconds > 0) process.kill('SIGTERM');
  const isLate = new AbortController();
  await Promise.race([
    process.exited,
    pause(seconds * 1000, undefined, { signal: isLate.signal }).catch(() => undefined),
  ]);
  isLate.abort();
  process.kill('SIGKILL');
  await process.exited;
}
