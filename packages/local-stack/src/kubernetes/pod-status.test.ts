import { describe, expect, test } from '@jest/globals';
import { statusOf, type PodState } from './pod-status.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const state: PodState = {
  address: '10.244.0.9',
  createdAt: at,
  container: { name: 'orders', image: 'orders:1.0.0' },
  restarts: 0,
  isStarted: true,
  isReady: true,
  readyChangedAt: at + 1_000,
  now: { kind: 'running', since: at },
};

describe('the status of a pod', () => {
  test('when its container runs and is ready, then so is the pod, since that moment', () => {
    expect(statusOf(state)).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.9',
      conditions: expect.arrayContaining([
        { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:06Z' },
      ]) as unknown,
      containerStatuses: [{ ready: true, started: true, state: { running: { startedAt: '2026-01-02T03:04:05Z' } } }],
    });
  });

  test.each([
    [0, true, 'Succeeded'],
    [78, true, 'Failed'],
    [78, false, 'Running'],
  ])('when its container ended with %i, for good: %s, then its phase is %s', (code, isFinal, phase) => {
    const ended = statusOf({ ...state, now: { kind: 'ended', code, isFinal, since: at, at } });

    expect(ended).toMatchObject({ phase, containerStatuses: [{ state: { terminated: { exitCode: code } } }] });
  });

  test('when it has no address yet, then it reports none, which Kubernetes would refuse', () => {
    const waiting = statusOf({
      ...state,
      address: '',
      isReady: false,
      now: { kind: 'waiting', reason: 'ErrImagePull' },
    });

    expect(waiting).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }],
    });
    expect(waiting).not.toHaveProperty('podIP');
  });
});
