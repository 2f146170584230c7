import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { checkPromises } from '../torture/check.ts';
import { prepareActors, startClients, type Actors } from '../torture/clients.ts';
import { nothingObserved, type Observed } from '../torture/observed.ts';
import { readReference } from '../torture/read-reference.ts';
import { screenKinds } from '../torture/screen-kinds.ts';
import { openScreens, type Screens } from '../torture/screens.ts';

type LoadOptions = {
  gatewayUrl: string;
  notifierUrl: string;
  rabbitmqUrl: string;
  /** How many screens of the staff; half of them through the gateway. */
  screens: number;
  /** How long a client rests between two orders or transfers. */
  restMs: number;
  /** Of the menu. */
  readsPerSecond: number;
  log: (line: string) => void;
};
export type Load = {
  /** How many calls had each answer so far, by status and code. */
  answers: () => ReadonlyMap<string, number>;
  /** Calls that failed so far, by call, answer and its detail. */
  failures: () => ReadonlyMap<string, number>;
  /** Ends the load; gives what was counted, and what is not as the services have said. */
  stop: () => Promise<{ orders: number; transfers: number; screens: number; events: number; broken: string[] }>;
};

const settlingMs = 60_000;
const readerRestMs = 200;

/** Whether an answer is a failure: anything but a success and a refusal because of what was asked. */
export const isFailure = (answer: string): boolean => /^(5\d\d|429 rate_limited|no answer)/.test(answer);

/** Orders, moves, transfers and PIN checks through the gateway, and screens, until it is stopped. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { gatewayUrl, notifierUrl, rabbitmqUrl, restMs, readsPerSecond, log } = options;
  const none = () => Promise.reject(new Error('nobody pays bills here'));
  const issuer = { issueStepUpToken: none, unspendStepUpToken: none };
  const actors = { ...(await prepareActors(gatewayUrl, issuer)), payers: [] };
  const observed = nothingObserved();
  const open = (url: string, count: number): Screens =>
    openScreens(url, {
      kinds: screenKinds(actors, count),
      acceptedAt: (order) => observed.acceptedAt.get(order),
      now: () => performance.now(),
    });
  const half = Math.ceil(options.screens / 2);
  const screens = bothOf(open(gatewayUrl, half), open(notifierUrl, options.screens - half));
  await until(screens.areLive, { what: 'live screens', timeoutMs: settlingMs });
  log(`${screens.records.length} screens are live`);
  const readers = startReaders(actors, { observed, count: Math.ceil((readsPerSecond * readerRestMs) / 1000) });
  const clients = startClients(actors, { restMs, observed, lastFault: () => 'no fault', lateMs: () => 0 });
  return {
    answers: () => observed.answers,
    failures: () => observed.failures,
    stop: async () => {
      await Promise.all([clients.stop(), readers.stop()]);
      await until(screens.areLive, { what: 'live screens at the end', timeoutMs: settlingMs }).catch((error: unknown) =>
        observed.broken.push(String(error)),
      );
      const readStream = () => readReference([rabbitmqUrl]);
      const nothing = () => Promise.resolve([]);
      const broken = await checkPromises({
        actors,
        observed,
        screens,
        settlingMs,
        readReference: readStream,
        readWrites: nothing,
        verifyLedger: nothing,
      });
      const silent = screens.silent();
      screens.close();
      actors.close();
      const events = screens.records.reduce(
        (sum, { received }) => sum + received.filter(({ kind }) => kind === 'event').length,
        0,
      );
      const { orders, transfers } = observed;
      const counts = { orders: orders.size, transfers: transfers.size, screens: screens.records.length, events };
      return { ...counts, broken: [...broken, ...silent] };
    },
  };
}

/** Screens that read the menu again and again: most calls of a restaurant are reads. */
function startReaders(
  { manager }: Actors,
  { observed: { answers, failures }, count }: { observed: Observed; count: number },
): { stop: () => Promise<void> } {
  let stopped = false;
  const add = (counts: Map<string, number>, what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  async function read(): Promise<void> {
    while (!stopped) {
      const code = await manager('GET', '/menu').then(codeOf, () => 'no answer');
      add(answers, code);
      if (isFailure(code)) add(failures, `GET /menu: ${code}`);
      await pause(readerRestMs);
    }
  }
  const reading = Promise.all(Array.from({ length: count }, read));
  return {
    stop: async () => {
      stopped = true;
      await reading;
    },
  };
}

const bothOf = (one: Screens, other: Screens): Screens => ({
  records: [...one.records, ...other.records],
  live: () => one.live() + other.live(),
  areLive: () => one.areLive() && other.areLive(),
  longestDelayMs: () => Math.max(one.longestDelayMs(), other.longestDelayMs()),
  silent: () => [...one.silent(), ...other.silent()],
  gaps: () => one.gaps() + other.gaps(),
  close: () => {
    one.close();
    other.close();
  },
});

/** How much each count has grown since `before`. */
export const since = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(
    [...now].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const).filter(([, count]) => count > 0),
  );

/** Lets the load go on for a while. */
export const goOn = (ms: number): Promise<void> => pause(ms);
