import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { managerCredentials } from '@comanda/testing/credentials';
import { openFeedClient } from '@comanda/testing/feed-client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { internalErrors } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { dine, newEvening, openRestaurant, type Evening, type Restaurant } from './dinner.ts';
import { startReleases, type Releases, type Sources } from './releases.ts';

type Options = {
  name: string;
  /** The release of each service at the start. */
  first: Record<ServiceName, Sources>;
  /** The release by which each service is replaced, before the first release replaces it again. */
  second: Sources;
  replaced: readonly ServiceName[];
  /** How often each service is replaced and restored. */
  times: number;
  /** The release whose `verify-ledger` checks the ledger at the end. */
  verifier: Sources;
};
export type Turns = {
  evening: Evening;
  /** The number of bills that were served completely while services were replaced. */
  dinners: number;
  /** Descriptions of the events that the manager's or a customer's feed has missed. */
  missedEvents: string[];
  /** The log lines about unknown errors. */
  internalErrors: string[];
  /** The output of `verify-ledger`. */
  ledger: string;
};

/** Replaces each of these services with another release and back again, while guests eat and pay. */
export async function takeTurns(options: Options): Promise<Turns> {
  const { first, second, replaced, times } = options;
  const releases = await startReleases(await isolatedServers(options.name), { first });
  const evening = newEvening();
  try {
    await releases.auth().createManager({ name: 'Marta', ...managerCredentials });
    const restaurant = await openRestaurant({ url: releases.gatewayUrl, evening, manager: managerCredentials });
    const feeds = [restaurant.manager, restaurant.bruno].map(({ token }) =>
      openFeedClient(releases.notifierUrl, { token, retryRefused: true }),
    );
    await Promise.all(feeds.map((feed) => feed.untilStatus('live', 20_000)));
    const dining = dineSteadily(restaurant);
    for (let time = 0; time < times; time++)
      for (const service of replaced) {
        for (const sources of [second, first[service]]) {
          await releases.replace(service, sources);
          await dining.another();
        }
      }
    const dinners = await dining.stop();
    const missedEvents = await findMissed(evening, feeds);
    for (const feed of feeds) feed.close();
    return {
      evening,
      dinners,
      missedEvents,
      internalErrors: internalErrors([releases]),
      ledger: await verifyLedger(releases, options.verifier),
    };
  } finally {
    await releases.close();
  }
}

/** Serves one bill after another until `stop` is called. If a call fails, records that and continues with the next bill. */
function dineSteadily(restaurant: Restaurant) {
  let stopped = false;
  let dinners = 0;
  const work = async (): Promise<void> => {
    while (!stopped)
      await dine(restaurant).then(
        () => dinners++,
        () => undefined,
      );
  };
  const working = work();
  return {
    /**
     * Waits until a bill has been served completely from now on, or has failed. The bill that is being served now does not count.
     */
    another: async (): Promise<void> => {
      const before = dinners + restaurant.evening.failures.length;
      const isOver = (): boolean => dinners + restaurant.evening.failures.length >= before + 2;
      await until(isOver, { what: 'another dinner', timeoutMs: 60_000 });
    },
    stop: async (): Promise<number> => {
      stopped = true;
      await working;
      return dinners;
    },
  };
}

type Feed = ReturnType<typeof openFeedClient>;
/**
 * Returns the events that the feeds have missed. For each delivered order, closed bill and transfer, the last event must have
 * arrived.
 */
async function findMissed({ delivered, closed, transfers }: Evening, [manager, bruno]: Feed[]): Promise<string[]> {
  type Heard = { type: string; subject: string; data: Record<string, { status?: string } | undefined> };
  const heardBy = (feed: Feed | undefined): Heard[] => (feed?.events ?? []) as unknown as Heard[];
  const lacks =
    (feed: Feed | undefined, type: string, status?: string) =>
    (id: number): boolean =>
      !heardBy(feed).some(
        (event) =>
          event.type === type &&
          event.subject === String(id) &&
          (status === undefined || Object.values(event.data).some((each) => each?.status === status)),
      );
  const missed = (): string[] => [
    ...delivered.filter(lacks(manager, 'order.created')).map((id) => `order.created of order ${id}`),
    ...delivered
      .filter(lacks(manager, 'order.status_changed', 'delivered'))
      .map((id) => `order.status_changed of order ${id} to delivered`),
    ...closed.filter(lacks(manager, 'bill.changed', 'closed')).map((id) => `bill.changed of bill ${id} to closed`),
    ...transfers.filter(lacks(bruno, 'transfer.posted')).map((id) => `transfer.posted of transfer ${id}`),
  ];
  await until(() => missed().length === 0, { what: 'all events', timeoutMs: 20_000 }).catch(() => undefined);
  return missed();
}

async function verifyLedger({ env }: Releases, { root: cwd }: Sources): Promise<string> {
  const args = ['--conditions=source', 'services/transfers/src/verify-ledger.ts'];
  const settings = { PATH: process.env['PATH'], ...env.transfers };
  return promisify(execFile)(process.execPath, args, { cwd, env: settings }).then(
    ({ stdout }) => stdout.trim(),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}
