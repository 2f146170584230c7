import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '@comanda/local-stack/root';
import { internalErrors } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import type { Issuer } from './bill-payers.ts';
import { checkPromises } from './check.ts';
import { prepareActors, startClients, type Actors } from './clients.ts';
import { nothingObserved, type Observed } from './observed.ts';
import { judgeTimes } from './judge-times.ts';
import { allFaults, breakThings, type FaultOptions } from './faults.ts';
import { recordPayments } from './record-payments.ts';
import { readReference } from './read-reference.ts';
import { screenKinds } from './screen-kinds.ts';
import { openScreens, type Screens } from './screens.ts';
import { startTwoOfEach, type Servers, type TwoOfEach, type TwoOfEachOptions } from './two-of-each.ts';

export type TortureOptions = TwoOfEachOptions & {
  cluster: Servers;
  /** The end of the run: after a time, or after a number of faults. */
  ends: FaultOptions['ends'];
  screens: number;
  /** How long a client pauses between two orders or transfers, in milliseconds. The default of 30 keeps all cores busy. */
  restMs?: number;
  /** How long a fault lasts, in milliseconds. The default is 5,000. */
  faultMs?: number;
  /** Set this to check response times and delays on screens too. Leave it out if the machine is also doing other work. */
  judgesTimes?: true;
  /** How long the checks wait for unfinished work to end, in milliseconds. */
  settlingMs?: number;
  /** Causes only faults whose names contain one of these texts. By default, all faults are caused. */
  only?: readonly string[];
  log: (line: string) => void;
};
export type TortureReport = {
  /** The broken promises, one sentence each. */
  broken: string[];
  faults: string[];
  orders: number;
  transfers: number;
  /**
   * The number of bill payments from accounts that were reserved. `paid` counts the payments and refunds that a response reported
   * as posted.
   */
  payments: number;
  paid: number;
  pinChecks: number;
  reusedTokens: number;
  lostTokens: number;
  responses: Record<string, number>;
  lateRefusals: Record<string, number>;
  longestRefusalMs: number;
  /** The longest time that an accepted order took to reach a staff screen that was live all the time, in milliseconds. */
  longestDelayMs: number;
  /** How many times a screen was notified that events are missing. */
  gaps: number;
  /**
   * The longest delay of this process itself, in milliseconds. All clients, screens and balancers run in this process. On an idle
   * machine, the delay is short.
   */
  longestLagMs: number;
  /** How long everything took to work again after the last fault, in milliseconds. */
  recoveredAfterMs: number;
};

/**
 * How long the cluster may take to recover from a fault, in milliseconds. The limit is generous: the run ends if nothing recovers
 * in time, and with two busy cores, starting a broker takes 25 s.
 */
const recoveryMs = 90_000;

/**
 * Puts load on two instances of every service: orders, status changes, transfers, bill payments, PIN checks and screens. In the
 * meantime, kills, freezes and cuts off servers and instances, one after another. Checks the promises by what the clients
 * observed, even if nothing works at the end.
 */
export async function runTorture(options: TortureOptions): Promise<TortureReport> {
  const { cluster, judgesTimes = false, settlingMs = recoveryMs, log, ...run } = options;
  const services = await startTwoOfEach(cluster, run);
  log('two instances of every service are ready');
  try {
    const actors = await prepareActors(services.gatewayUrl, issuerOf(services));
    const observed = nothingObserved();
    const late = measureLateness();
    const { orders, transfers } = services.settings;
    const recorder = await recordPayments({
      uri: cluster.mongodb.url,
      orders: String(orders['MONGODB_DATABASE']),
      transfers: String(transfers['MONGODB_DATABASE']),
    });
    const screens = openScreens(services.notifierUrl, {
      kinds: screenKinds(actors, options.screens),
      acceptedAt: (order) => observed.acceptedAt.get(order),
      now: () => performance.now() - late.sumMs(),
    });
    await until(screens.areLive, { what: 'live screens', timeoutMs: recoveryMs });
    log(`${screens.records.length} screens are live`);
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const { standstill, ...course } = await breakUnderLoad(options, { services, actors, observed, screens, late });
    log(`checking ${observed.orders.size} orders and ${observed.transfers.size} transfers`);
    const readStream = () => readReference(cluster.rabbitmq.url.split(','));
    const broken = await checkPromises({
      actors,
      observed,
      screens,
      settlingMs,
      readReference: readStream,
      readWrites: recorder.read,
      verifyLedger: () => verifyLedger(services),
    });
    const times = judgesTimes ? judgeTimes(observed, screens.longestDelayMs()) : [];
    const silent = screens.silent();
    late.stop();
    await recorder.close();
    screens.close();
    actors.close();
    const unknownErrors = internalErrors(services.instances.map(({ service }) => service));
    return {
      broken: [...standstill, ...broken, ...silent, ...times, ...unknownErrors],
      ...course,
      orders: observed.orders.size,
      transfers: observed.transfers.size,
      payments: observed.payments.size,
      paid: observed.paid.length,
      pinChecks: observed.pinChecks,
      reusedTokens: observed.reusedTokens,
      lostTokens: observed.lostTokens,
      responses: Object.fromEntries(observed.responses),
      lateRefusals: Object.fromEntries(observed.lateRefusals),
      longestRefusalMs: Math.round(observed.longestRefusalMs),
      longestDelayMs: screens.longestDelayMs(),
      gaps: screens.gaps(),
      longestLagMs: Math.round(lag.max / 1e6),
    };
  } finally {
    await services.close();
  }
}

type Under = { services: TwoOfEach; actors: Actors; observed: Observed; screens: Screens; late: Lateness };
type Course = Pick<TortureReport, 'faults' | 'recoveredAfterMs'> & {
  /**
   * Empty if everything recovered after each fault. Otherwise, a sentence that names the fault and says what failed to recover.
   */
  standstill: string[];
};

/** Keeps the clients busy while one fault follows another, until the run ends or something fails to recover. */
async function breakUnderLoad(
  { cluster, ends, only, restMs = 30, faultMs = 5_000, log }: TortureOptions,
  under: Under,
): Promise<Course> {
  const { services, actors, observed, screens, late } = under;
  const faults: string[] = [];
  const lastFault = (): string => faults.at(-1) ?? 'no fault';
  const clients = startClients(actors, { restMs, observed, lastFault, lateMs: late.sumMs });
  let progress = '';
  /** Returns true if an order and a transfer were accepted in the last half second, and every screen is live. */
  async function isWhole(): Promise<boolean> {
    const before = [observed.orders.size, observed.transfers.size] as const;
    await pause(500);
    const [orders, transfers] = [observed.orders.size - before[0], observed.transfers.size - before[1]];
    progress = `${orders} orders and ${transfers} transfers in the last 0.5 s, ${screens.live()} screens live`;
    return orders > 0 && transfers > 0 && screens.areLive();
  }
  /**
   * Returns true if at least two of each kind of request have succeeded, so that there is something to check. After a single
   * short fault, there may be no bill payments yet.
   */
  const hasDoneAll = (): boolean =>
    [observed.orders.size, observed.transfers.size, observed.paid.length, observed.reusedTokens].every(
      (count) => count > 1,
    );
  /** Logs the last lines of each service's log. Returns a sentence about the fault that nothing recovered from. */
  function reportStandstill(error: unknown): string[] {
    for (const { name, number, service } of services.instances)
      for (const line of service.output().trim().split('\n').slice(-8)) log(`${name} ${number}: ${line}`);
    return [`a standstill after "${lastFault()}": ${(error as Error).message}; ${progress}`];
  }
  const all = allFaults(cluster, services);
  const chosen = shuffled(only ? all.filter(({ name }) => only.some((part) => name.includes(part))) : all);
  let ended = performance.now();
  async function run(): Promise<string[]> {
    await until(isWhole, { what: 'the first orders and transfers', timeoutMs: recoveryMs });
    const onFault = (name: string): void => void faults.push(name);
    await breakThings({ faults: chosen, ends, lastsMs: faultMs, recoveryMs, isWhole, onFault, log });
    ended = performance.now();
    await until(isWhole, { what: 'everything to work again at the end', timeoutMs: recoveryMs });
    await until(hasDoneAll, { what: 'two of each kind of request to succeed', timeoutMs: recoveryMs });
    return [];
  }
  const standstill = await run().catch(reportStandstill);
  const recoveredAfterMs = Math.round(performance.now() - ended);
  await clients.stop();
  return { standstill, faults, recoveredAfterMs };
}

/** Returns an issuer that sends its test commands to the first auth-stepup instance or, if that fails, to the second. */
function issuerOf({ auths }: TwoOfEach): Issuer {
  const [first, second] = auths;
  if (!first || !second) throw new Error('auth-stepup runs twice');
  return {
    issueStepUpToken: (request) => first.issueStepUpToken(request).catch(() => second.issueStepUpToken(request)),
    unspendStepUpToken: (token) => first.unspendStepUpToken(token).catch(() => second.unspendStepUpToken(token)),
  };
}

/** Returns what `npm run verify-ledger` has found; empty if the ledger is intact. */
async function verifyLedger({ settings }: TwoOfEach): Promise<string[]> {
  const args = ['--conditions=source', 'services/transfers/src/verify-ledger.ts'];
  const env = { PATH: process.env['PATH'], ...settings.transfers };
  return promisify(execFile)(process.execPath, args, { cwd: root, env }).then(
    () => [],
    ({ stdout, stderr }: { stdout: string; stderr: string }) => [`the ledger is not intact: ${stdout}${stderr}`],
  );
}

type Lateness = ReturnType<typeof measureLateness>;
/** Measures the delays of this process's own timers. */
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
