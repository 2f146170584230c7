// Measures how fast events get from the stream to the last of 1,000 sockets. The baseline sends the same bytes with plain ws.
import { toMessage } from '@comanda/shared/messaging/publisher';
import { orderCreated } from '@comanda/testing/event-factories';
import { startBenchFeed } from './feed/notifier.ts';
import { startClients, startRawWs } from './feed/processes.ts';
import { compare } from './support.ts';

const sockets = 1000;
const events = 300;

const feed = await startBenchFeed();
const raw = await startRawWs();
const message = (index: number) => toMessage(orderCreated({ orderId: index, remarks: 'x'.repeat(400) }));
const text = `42["event",${message(1).body},"${'c'.repeat(60)}"]`;

/** Sends the events, and returns how many events per second all clients together received. */
async function measure(target: { url: string; token?: string }, send: () => void): Promise<number> {
  const clients = await startClients({ ...target, sockets, events });
  try {
    const started = performance.now();
    send();
    await clients.done;
    return (sockets * events * 1000) / (performance.now() - started);
  } finally {
    clients.stop();
  }
}
const publish = (): void =>
  void feed.publisher.publish(Array.from({ length: events }, (_, index) => message(index + 1)));

try {
  await compare({
    name: 'broadcast',
    what: `${events} events to ${sockets} sockets`,
    unit: 'deliveries/s',
    ours: () => measure({ url: feed.url, token: feed.token }, publish),
    peers: {
      'raw ws': { run: () => measure({ url: raw.url }, () => raw.send({ text, times: events })), atLeast: 0.9 },
    },
  });
} finally {
  raw.stop();
  await feed.stop();
}
