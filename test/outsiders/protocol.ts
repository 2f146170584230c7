import { testSecrets } from '@comanda/testing/test-secrets';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceHere } from '@comanda/testing/service-here';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import type { Verdict } from './cases.ts';
import { readCases, type ProtocolCase, type ProtocolSuite } from './protocol-cases.ts';
import { startProtocolServer } from './protocol-server.ts';

/** Ends a case that waits for what does not come. */
const maxMs = 60_000;

async function tryCase({ name, run }: ProtocolCase): Promise<string[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it still waits')), maxMs);
  try {
    await Promise.race([run(), late]);
    return [];
  } catch (error) {
    return [`${name}: ${String(error)}`];
  } finally {
    clearTimeout(timer);
  }
}

async function tryOneByOne(cases: readonly ProtocolCase[]): Promise<string[]> {
  const failures: string[] = [];
  for (const each of cases) failures.push(...(await tryCase(each)));
  return failures;
}

/** The notifier speaks WebSocket only. */
const needsPolling = ({ name }: ProtocolCase): boolean => / > (HTTP long-polling|upgrade) > /.test(name);

type Options = {
  suite: ProtocolSuite;
  /** `polling`: the notifier's server with polling too, which passes every case if its packets are right. */
  transports: 'websocket' | 'polling';
  /** The address of a gateway in front of this server, which is closed with it. */
  behind?: (url: string) => Promise<{ url: string; close: () => Promise<void> }>;
};
/**
 * Tries the suite's cases. Over WebSocket all at once: each has a connection of its own. With polling one by one: some need
 * their requests to arrive in the order in which they were sent.
 */
export async function tryProtocol({ suite, transports, behind }: Options): Promise<Verdict> {
  const server = await startProtocolServer({
    speaks: suite === 'Socket.IO v5' ? 'Socket.IO' : 'Engine.IO',
    transports: transports === 'polling' ? ['polling', 'websocket'] : ['websocket'],
  });
  const front = await behind?.(server.url);
  try {
    const all = await readCases(suite, { url: (front ?? server).url, path: '/socket.io/' });
    if (transports === 'polling') return { cases: all.length, failures: await tryOneByOne(all) };
    const cases = all.filter((each) => !needsPolling(each));
    return { cases: cases.length, failures: (await Promise.all(cases.map(tryCase))).flat() };
  } finally {
    await front?.close();
    await server.close();
  }
}

/** A gateway whose notifier is at this address. It has no other services: nobody asks them. */
export async function startGatewayBefore(notifierUrl: string, servers: IsolatedServers) {
  const { gateway } = stackSettings({ urls: { notifier: notifierUrl }, servers, secrets: testSecrets() });
  const { url, close } = await startServiceHere('gateway', { env: { ...gateway, ...withoutLimits } });
  return { url, close };
}
