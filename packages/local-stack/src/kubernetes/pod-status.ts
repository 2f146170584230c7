import type { Container } from './pod.ts';

/** What is known of the one container of a pod. Times are in milliseconds since the epoch. */
export type PodState = {
  /** Empty before the pod has one. */
  address: string;
  createdAt: number;
  container: Pick<Container, 'name' | 'image'>;
  restarts: number;
  /** It has passed its startup probe. */
  isStarted: boolean;
  isReady: boolean;
  readyChangedAt: number;
  now:
    | { kind: 'waiting'; reason: string; message?: string }
    | { kind: 'running'; since: number }
    | { kind: 'ended'; code: number; since: number; at: number; isFinal: boolean };
};

/** A time as Kubernetes writes it. */
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** The status of a pod as a kubelet reports it. */
export function statusOf(state: PodState): object {
  const { address, createdAt, container, now, restarts, isStarted, isReady, readyChangedAt } = state;
  const condition = (type: string, isTrue: boolean, at: number) => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastTransitionTime: time(at),
  });
  return {
    phase: phaseOf(state),
    ...(address !== '' && { podIP: address, podIPs: [{ ip: address }] }),
    startTime: time(createdAt),
    conditions: [
      condition('Initialized', true, createdAt),
      condition('ContainersReady', isReady, readyChangedAt),
      condition('Ready', isReady, readyChangedAt),
    ],
    containerStatuses: [
      {
        ...container,
        imageID: container.image,
        ready: isReady,
        started: isStarted,
        restartCount: restarts,
        state: stateOf(now),
      },
    ],
  };
}

function phaseOf({ now, restarts }: PodState): string {
  if (now.kind === 'waiting') return restarts > 0 ? 'Running' : 'Pending';
  if (now.kind === 'ended' && now.isFinal) return now.code === 0 ? 'Succeeded' : 'Failed';
  return 'Running';
}

function stateOf(now: PodState['now']): object {
  if (now.kind === 'waiting') {
    const { reason, message } = now;
    return { waiting: { reason, ...(message !== undefined && { message }) } };
  }
  if (now.kind === 'running') return { running: { startedAt: time(now.since) } };
  const { code, since, at } = now;
  const reason = code === 0 ? 'Completed' : 'Error';
  return { terminated: { exitCode: code, reason, startedAt: time(since), finishedAt: time(at) } };
}
