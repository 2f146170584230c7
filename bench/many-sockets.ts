// Connects 10,000 sockets to a notifier, and sends 5 and then 20 events a second for 5 s each. Compares the resident memory
// before and after, and the p99 of all deliveries, with plain ws that sends the same bytes. At 20 events a second, there are
// 200,000 deliveries a second, which is too much for two cores on either side. Then kills and restarts the notifier, and measures
// the time until all sockets are connected again.
import { setTimeout as pause } from 'node:timers/promises';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { orderCreated } from '@comanda/testing/event-factories';
import { startBenchFeed } from './feed/notifier.ts';
import { startClients, startRawWs } from './feed/processes.ts';
import { compare, limit, residentMb } from './support.ts';

const processes = 2;
const socketsEach = 5_000;
const rates = [5, 20] as const;
const secondsEach = 5;
const events = secondsEach * rates.reduce((sum, perSecond) => sum + perSecond, 0);
/** The pause before the next rate, in milliseconds. The events already sent arrive during the pause. */
const pauseMs = 5000;

const message = (index: number) => toMessage(orderCreated({ orderId: index, remarks: 'x'.repeat(400) }));
const text = `42["event",${message(1).body},"${'c'.repeat(60)}"]`;

type Side = {
  url: string;
  token?: string;
  send: (index: number) => void;
  pid: number;
};
type Figures = Record<'idle' | 'memory' | 'p99 at 5/s' | 'p99 at 20/s', number>;

async function measure({ url, token, send, pid }: Side): Promise<Figures> {
  const order = { url, ...(token !== undefined && { token }), sockets: socketsEach, events, timed: true };
  const clients = await Promise.all(Array.from({ length: processes }, () => startClients(order)));
  try {
    await pause(pauseMs);
    const idle = residentMb(pid);
    const sentAt: number[][] = [];
    for (const perSecond of rates) {
      sentAt.push(await sendFor({ perSecond, first: sentAt.flat().length, send }));
      await pause(pauseMs);
    }
    await Promise.all(clients.map(({ done }) => done));
    const figures = { idle, memory: residentMb(pid) };
    const p99At = async (rate: number): Promise<number> => {
      const times = sentAt.flatMap((each, index) => each.map((at) => (index === rate ? at : null)));
      return p99Of(await Promise.all(clients.map(({ latencies }) => latencies(times))));
    };
    return { ...figures, 'p99 at 5/s': await p99At(0), 'p99 at 20/s': await p99At(1) };
  } finally {
    for (const each of clients) each.stop();
  }
}

type Sending = Pick<Side, 'send'> & { perSecond: number; first: number };
/** Sends events at a constant rate. Returns when each event was sent, in milliseconds since the epoch. */
async function sendFor({ perSecond, first, send }: Sending): Promise<number[]> {
  const started = performance.now();
  const sentAt: number[] = [];
  for (let index = 0; index < secondsEach * perSecond; index++) {
    const waitMs = started + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sentAt.push(performance.timeOrigin + performance.now());
    send(first + index + 1);
  }
  return sentAt;
}

/** Computes the p99 in milliseconds from the numbers of deliveries by latency. */
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
      pid: feed.pid(),
    });
  } finally {
    await feed.stop();
  }
}
async function withRawWs(): Promise<Figures> {
  const raw = await startRawWs();
  try {
    return await measure({ url: raw.url, send: () => raw.send({ text, times: 1 }), pid: raw.pid });
  } finally {
    raw.stop();
  }
}

// The first comparison measures the rounds. The other comparisons reuse its figures.
const rounds: Record<'ours' | 'raw ws', Figures[]> = { ours: [], 'raw ws': [] };
const idleOf = (name: keyof typeof rounds, run: () => Promise<Figures>) => async (): Promise<number> => {
  const figures = await run();
  rounds[name].push(figures);
  return figures.idle;
};
const again = (name: keyof typeof rounds, figure: keyof Figures) => {
  const measured = rounds[name].values();
  return (): Promise<number> => Promise.resolve(measured.next().value?.[figure] ?? NaN);
};
const sockets = processes * socketsEach;
await compare({
  name: 'many-sockets-idle',
  what: `one notifier with ${sockets} sockets, before the first event`,
  unit: 'MB',
  ours: idleOf('ours', withNotifier),
  peers: { 'raw ws': { run: idleOf('raw ws', withRawWs), atMost: 1.3 } },
});
await compare({
  name: 'many-sockets-memory',
  what: `the same at once after ${events} events to each`,
  unit: 'MB',
  ours: again('ours', 'memory'),
  peers: { 'raw ws': { run: again('raw ws', 'memory'), atMost: 1.3 } },
});
for (const perSecond of rates)
  await compare({
    name: `many-sockets-p99-${perSecond}`,
    what: `p99 of a delivery to one of ${sockets} sockets, ${perSecond} events a second, in the same rounds`,
    unit: 'ms',
    ours: again('ours', `p99 at ${perSecond}/s`),
    peers: { 'raw ws': { run: again('raw ws', `p99 at ${perSecond}/s`), atMost: 1.5 } },
  });

const feed = await startBenchFeed();
const order = { url: feed.url, token: feed.token, sockets: socketsEach, events: 1, reconnects: true };
const clients = await Promise.all(Array.from({ length: processes }, () => startClients(order)));
await limit({
  name: 'many-sockets-back',
  what: `until ${sockets} sockets are back after their notifier was killed`,
  unit: 's',
  ours: async () => {
    const started = performance.now();
    const back = clients.map(({ untilOpen }) => untilOpen());
    await feed.restart();
    await Promise.all(back);
    return (performance.now() - started) / 1000;
  },
  atMost: 60,
  rounds: 3,
});
for (const each of clients) each.stop();
await feed.stop();
