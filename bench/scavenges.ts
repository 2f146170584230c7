// How long V8 stops each service to collect young objects (a scavenge) while 100 orders and 300 readings a second pass the
// gateway. An old collection that holds requests keeps finished ones alive, and each scavenge has to copy them: it takes
// several times as long, and the p99 of all calls with it.
import { setTimeout as pause } from 'node:timers/promises';
import { caller } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startBenchStack } from './stack.ts';
import { limit, percentile } from './support.ts';

const perSecond = 100;
const readingsPerOrder = 3;
const seconds = 8;

const stack = await startBenchStack({
  NODE_OPTIONS: `--import ${new URL('log-scavenges.ts', import.meta.url).href}`,
});
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
const kitchen = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
await kitchen.untilStatus('live', 20_000);

const headers = { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` };
const body = JSON.stringify({ items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' });
async function send(path: string, request: RequestInit, status: number): Promise<void> {
  const response = await fetch(`${stack.gatewayUrl}${path}`, { headers, ...request });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} ${text}`);
}
async function load(): Promise<void> {
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const waitMs = begun + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sent.push(send('/orders', { method: 'POST', body }, 201));
    for (let reading = 0; reading < readingsPerOrder; reading++)
      sent.push(send('/orders?status=ready&limit=1', {}, 200));
  }
  await Promise.all(sent);
  kitchen.events.length = 0;
}

type Scavenge = { ms: number; freedMb: number };
const scavengeForm = /Scavenge (?:\([^)]*\) )?([\d.]+) \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB.*?, ([\d.]+) \/ /g;
const scavengesIn = (output: string): Scavenge[] =>
  [...output.matchAll(scavengeForm)].map(([, before, after, ms]) => ({
    ms: Number(ms),
    freedMb: Number(before) - Number(after),
  }));

const names = ['gateway', 'orders', 'notifier'] as const;
/** The scavenges of each round, by service. One round is a load for all services. */
const rounds: Record<(typeof names)[number], Scavenge[][]> = { gateway: [], orders: [], notifier: [] };
const lastOutput: Partial<Record<string, number>> = {};
const takeScavenges = (): void => {
  for (const name of names) {
    const output = stack.services[name].output();
    rounds[name].push(scavengesIn(output.slice(lastOutput[name] ?? 0)));
    lastOutput[name] = output.length;
  }
};
try {
  for (let round = 0; round < 3; round++) await load();
  takeScavenges();
  for (const each of Object.values(rounds)) each.length = 0;
  for (let round = 0; round < 5; round++) {
    await load();
    takeScavenges();
  }
  for (const name of names) {
    const measured = rounds[name].values();
    await limit({
      name: `scavenges-${name}`,
      what: `how long 9 of 10 scavenges of ${name} take at most, at ${perSecond} orders a second`,
      unit: 'ms',
      ours: () => {
        const scavenges = measured.next().value ?? [];
        const freedMb = scavenges.reduce((sum, each) => sum + each.freedMb, 0) / scavenges.length;
        process.stderr.write(`  ${name}: ${scavenges.length} scavenges, each frees ${freedMb.toFixed(1)} MB\n`);
        const times = scavenges.map(({ ms }) => ms);
        return Promise.resolve(percentile(times, 0.9));
      },
      atMost: 3,
    });
  }
} finally {
  kitchen.close();
  await stack.close();
}
