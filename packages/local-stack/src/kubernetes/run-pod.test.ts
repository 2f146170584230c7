import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReaper, type Reaper } from '../reaper/start-reaper.ts';
import { freePort } from '../servers/free-port.ts';
import type { Container, Pod } from './pod.ts';
import type { PodState } from './pod-status.ts';
import { runPod, type RunningPod } from './run-pod.ts';

/** Answers 200 at /ready, 500 at /failing; prints what happens to it; ends 0 on SIGTERM. */
const program = `
  import { createServer } from 'node:http';
  const server = createServer((request, answer) => answer.writeHead(request.url === '/ready' ? 200 : 500).end());
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.env.DEAF || process.exit(0));`;

describe('a pod that runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pods-'));
  let states: PodState[];
  let reported: PromiseWithResolvers<void>;
  let pod: RunningPod | undefined;
  let reaper: Reaper; // ends the pod if this process is killed
  beforeAll(async () => {
    reaper = await startReaper();
    reaper.remove(folder);
  });
  afterAll(() => reaper?.finish());
  beforeEach(() => {
    states = [];
    reported = Promise.withResolvers();
  });
  afterEach(async () => {
    await pod?.stop(0);
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(
    container: Partial<Container>,
    { code = program, env = {}, ...spec }: { code?: string; env?: object } & Partial<Pod['spec']> = {},
  ): Promise<RunningPod> {
    const port = await freePort();
    const path = '/usr/bin:/bin';
    pod = runPod({
      pod: {
        metadata: { name: 'orders-1', uid: 'u1', resourceVersion: '1' },
        spec: {
          ...spec,
          containers: [
            { name: 'orders', image: 'orders:1', ports: [{ name: 'http', containerPort: port }], ...container },
          ],
        },
      },
      address: '127.0.0.1',
      process: {
        command: process.execPath,
        args: ['--input-type=module', '-e', code],
        cwd: process.cwd(),
        env: { PATH: path, PORT: String(port), ...env },
      },
      logFile: join(folder, 'log'),
      report: (state) => {
        states.push(structuredClone(state));
        reported.resolve();
        reported = Promise.withResolvers();
      },
      onSpawn: (spawned) => reaper.track({ ...spawned, stop: 'kill' }),
    });
    return pod;
  }
  const last = (): PodState | undefined => states.at(-1);
  async function untilState(isSo: (state: PodState) => boolean): Promise<PodState> {
    for (;;) {
      const found = states.find(isSo);
      if (found) return found;
      await reported.promise;
    }
  }
  const probe = (path: string, more: object = {}) => ({
    httpGet: { path, port: 'http' },
    periodSeconds: 0.05,
    failureThreshold: 200,
    ...more,
  });

  test('when its readiness probe passes, then it is ready, and not before it has started', async () => {
    await start({ startupProbe: probe('/ready'), readinessProbe: probe('/ready') });

    await untilState(({ isReady }) => isReady);

    expect(states.filter(({ isStarted }) => !isStarted).some(({ isReady }) => isReady)).toBe(false);
  });

  test('when its readiness probe fails, then it runs and is not ready', async () => {
    await start({ readinessProbe: probe('/failing') });

    const running = await untilState(({ isStarted }) => isStarted);

    expect(running.now.kind).toBe('running');
    expect(running.isReady).toBe(false);
  });

  test('when it does not live, then it is started again', async () => {
    await start({ startupProbe: probe('/ready'), livenessProbe: probe('/failing', { failureThreshold: 1 }) });

    const again = await untilState(({ restarts, now }) => restarts === 1 && now.kind === 'running');

    expect(again.isReady).toBe(false);
  });

  test('when the pod of a Job ends, then it stays ended, with its code', async () => {
    await start({}, { code: 'process.exit(3)', restartPolicy: 'Never' });

    const ended = await untilState(({ now }) => now.kind === 'ended');

    expect(ended.now).toMatchObject({ code: 3, isFinal: true });
  });

  test('when it is stopped, then it ends by SIGTERM', async () => {
    const running = await start({ startupProbe: probe('/ready') });
    await untilState(({ isStarted }) => isStarted);

    await running.stop(30);

    expect(last()?.now).toMatchObject({ kind: 'ended', code: 0 });
  });

  test('when it does not heed SIGTERM, then it is killed at the end of its grace period', async () => {
    const running = await start({ startupProbe: probe('/ready') }, { env: { DEAF: 'yes' } });
    await untilState(({ isStarted }) => isStarted);

    await running.stop(0.2);

    expect(last()?.now).toMatchObject({ kind: 'ended', code: 137 });
    expect(running.pid()).toBeNull();
  });
});
