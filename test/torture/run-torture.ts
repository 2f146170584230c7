import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { internalErrors } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { checkPromises } from './check.ts';
import { prepareActors, startClients } from './clients.ts';
import { allFaults, breakThings, type FaultOptions } from './faults.ts';
import { openScreens } from './screens.ts';
import { startTwoOfEach } from './two-of-each.ts';

export type TortureOptions = {
  cluster: Cluster;
  /** When the last fault is over. */
  ends: FaultOptions['ends'];
  screens: number;
  /** Only faults whose names contain one of these; all by default. */
  only?: readonly string[];
  log: (line: string) => void;
};
export type TortureReport = {
  /** Promises that were broken; empty if none was. */
  broken: string[];
  faults: string[];
  orders: number;
  transfers: number;
  pinChecks: number;
  reusedTokens: number;
  answers: Record<string, number>;
  lateRefusals: Record<string, number>;
  longestRefusalMs: number;
  longestSilenceMs: number;
  /** The longest delay of this process itself, which runs all clients, screens and balancers. Short on a machine that is not busy. */
  longestLagMs: number;
  /** From the end of the last fault until everything worked again. */
  recoveredAfterMs: number;
};

const recoveryMs = 30_000;
const faultLastsMs = 5_000;

/**
 * Orders, moves, transfers, PIN checks and screens on two instances of every service, while servers of the cluster and
 * instances are killed, frozen and cut off one after the other. Everything is checked from what clients observed.
 */
export async function runTorture({ cluster, ends, screens: count, only, log }: TortureOptions): Promise<TortureReport> {
  const services = await startTwoOfEach(cluster);
  log('two instances of every service are ready');
  try {
    const actors = await prepareActors(services.gatewayUrl);
    const screens = openScreens(services.notifierUrl, { token: actors.managerToken, count });
    const firstCursor = (await screens.all[0]?.untilStatus('live', 30_000))?.cursor ?? '';
    await until(() => screens.live() === count, { what: `${count} live screens`, timeoutMs: 30_000 });
    log(`${count} screens are live`);
    let lastFault = 'no fault';
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const late = measureLateness();
    const clients = startClients(actors, { lastFault: () => lastFault, lateMs: late.sumMs });
    const { observed } = clients;
    const all = allFaults(cluster, services);
    const faults = shuffled(only ? all.filter(({ name }) => only.some((part) => name.includes(part))) : all);

    /** An order and a transfer were accepted since, and every screen is live. */
    async function isWhole(): Promise<boolean> {
      const before = [observed.orders.size, observed.transfers.size] as const;
      await pause(500);
      const [orders, transfers] = [observed.orders.size - before[0], observed.transfers.size - before[1]];
      progress = `${orders} orders and ${transfers} transfers in the last 0.5 s, ${screens.live()} of ${count} screens live`;
      return orders > 0 && transfers > 0 && screens.live() === count;
    }
    let progress = '';
    /** Logs what does not work, and the last that each service wrote. */
    function reportStandstill(error: unknown): never {
      log(progress);
      for (const { name, number, process } of services.instances)
        for (const line of process.output().trim().split('\n').slice(-8)) log(`${name} ${number}: ${line}`);
      throw error;
    }
    await until(isWhole, { what: 'the first orders and transfers', timeoutMs: 20_000 });
    const done = await breakThings({
      faults,
      ends,
      lastsMs: faultLastsMs,
      isWhole,
      onFault: (name) => (lastFault = name),
      log,
    }).catch(reportStandstill);
    const ended = performance.now();
    await until(isWhole, { what: 'everything to work again at the end', timeoutMs: recoveryMs }).catch(
      reportStandstill,
    );
    const recoveredAfterMs = Math.round(performance.now() - ended);
    await clients.stop();
    late.stop();
    screens.close();
    log(`checking ${observed.orders.size} orders and ${observed.transfers.size} transfers`);
    const broken = await checkPromises({ actors, observed, notifierUrl: services.notifierUrl, firstCursor });
    const unknownErrors = internalErrors(services.instances.map(({ process }) => process));
    return {
      broken: [...broken, ...unknownErrors],
      faults: done,
      orders: observed.orders.size,
      transfers: observed.transfers.size,
      pinChecks: observed.pinChecks,
      reusedTokens: observed.reusedTokens,
      answers: Object.fromEntries(observed.answers),
      lateRefusals: Object.fromEntries(observed.lateRefusals),
      longestRefusalMs: Math.round(observed.longestRefusalMs),
      longestSilenceMs: screens.longestSilenceMs(),
      longestLagMs: Math.round(lag.max / 1e6),
      recoveredAfterMs,
    };
  } finally {
    await services.close();
  }
}

/** How late the timers of this process have been, in all. */
function measureLateness() {
  const everyMs = 20;
  let sumMs = 0;
  let expected = performance.now() + everyMs;
  const timer = setInterval(() => {
    sumMs += Math.max(0, performance.now() - expected);
    expected = performance.now() + everyMs;
  }, everyMs);
  timer.unref();
  return { sumMs: () => sumMs, stop: () => clearInterval(timer) };
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
