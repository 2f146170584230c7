// One notifier with 10,000 sockets, 20 events a second for 5 s: resident memory and the p99 of all deliveries, against plain
// ws that sends the same bytes. Then the notifier is killed and starts again: how long until all sockets are back.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { orderCreated } from '@comanda/testing/event-factories';
import { startBenchFeed } from './feed/notifier.ts';
import { startClients, startRawWs } from './feed/processes.ts';
import { compare, limit, residentMb } from './support.ts';

const processes = 2;
const socketsEach = 5_000;
const perSecond = 20;
const events = 5 * perSecond;

const message = (index: number) => toMessage(orderCreated({ orderId: index, remarks: 'x'.repeat(400) }));
const text = `42["event",${message(1).body},"${'c'.repeat(60)}"]`;

type Side = {
  url: string;
  token?: string;
  send: (index: number) => void;
  /** Megabytes. */
  memory: () => Promise<number>;
};
type Figures = { memory: number; p99: number };

async function measure({ url, token, send, memory }: Side): Promise<Figures> {
  const order = { url, ...(token !== undefined && { token }), sockets: socketsEach, events };
  const clients = await Promise.all(Array.from({ length: processes }, () => startClients(order)));
  try {
    const begun = performance.now();
    const sentAt: number[] = [];
    for (let index = 0; index < events; index++) {
      const waitMs = begun + (index * 1000) / perSecond - performance.now();
      if (waitMs > 0) await pause(waitMs);
      sentAt.push(performance.timeOrigin + performance.now());
      send(index + 1);
    }
    await Promise.all(clients.map(({ done }) => done));
    const figures = { memory: await memory(), p99: 0 };
    const counts = await Promise.all(clients.map(({ latencies }) => latencies(sentAt)));
    return { ...figures, p99: p99Of(counts) };
  } finally {
    for (const each of clients) each.stop();
  }
}

/** The p99 in milliseconds of what `counts` counts by milliseconds. */
function p99Of(counts: readonly Record<number, number>[]): number {
  const all = counts.flatMap((each) => Object.entries(each).map(([ms, count]) => ({ ms: Number(ms), count })));
  let left = 0.01 * all.reduce((sum, { count }) => sum + count, 0);
  for (const { ms, count } of all.toSorted((a, b) => b.ms - a.ms)) if ((left -= count) <= 0) return ms;
  return NaN;
}

async function withNotifier(): Promise<Figures> {
  const feed = await startBenchFeed();
  try {
    return await measure({
      url: feed.url,
      token: feed.token,
      send: (index) => void feed.publisher.publish([message(index)]),
      memory: () => residentMb(feed.url),
    });
  } finally {
    await feed.stop();
  }
}
async function withRawWs(): Promise<Figures> {
  const raw = await startRawWs();
  const memory = async (): Promise<number> =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${raw.pid}/status`, 'utf8'))?.[1]) / 1024;
  try {
    return await measure({ url: raw.url, send: () => raw.send({ text, times: 1 }), memory });
  } finally {
    raw.stop();
  }
}

// Each round is measured once; the p99 is of the same rounds.
const rounds: Record<'ours' | 'raw ws', Figures[]> = { ours: [], 'raw ws': [] };
const memoryOf = (name: keyof typeof rounds, run: () => Promise<Figures>) => async (): Promise<number> => {
  const figures = await run();
  rounds[name].push(figures);
  return figures.memory;
};
const p99Again = (name: keyof typeof rounds) => {
  const measured = rounds[name].values();
  return (): Promise<number> => Promise.resolve(measured.next().value?.p99 ?? NaN);
};
const sockets = processes * socketsEach;
await compare({
  name: 'many-sockets-memory',
  what: `one notifier with ${sockets} sockets, after ${events} events to each`,
  unit: 'MB',
  ours: memoryOf('ours', withNotifier),
  peers: { 'raw ws': { run: memoryOf('raw ws', withRawWs), atMost: 1.3 } },
});
await compare({
  name: 'many-sockets-p99',
  what: `p99 of a delivery to one of ${sockets} sockets, ${perSecond} events a second, in the same rounds`,
  unit: 'ms',
  ours: p99Again('ours'),
  peers: { 'raw ws': { run: p99Again('raw ws'), atMost: 1.5 } },
});

const feed = await startBenchFeed();
const order = { url: feed.url, token: feed.token, sockets: socketsEach, events: 1, reconnects: true };
const clients = await Promise.all(Array.from({ length: processes }, () => startClients(order)));
await limit({
  name: 'many-sockets-back',
  what: `until ${sockets} sockets are back after their notifier was killed`,
  unit: 's',
  ours: async () => {
    const begun = performance.now();
    const back = clients.map(({ untilOpen }) => untilOpen());
    await feed.restart();
    await Promise.all(back);
    return (performance.now() - begun) / 1000;
  },
  atMost: 60,
  rounds: 3,
});
for (const each of clients) each.stop();
await feed.stop();
