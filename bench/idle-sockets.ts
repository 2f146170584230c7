// Resident memory of the notifier with 1,000 live sockets and no events.
import { setTimeout as pause } from 'node:timers/promises';
import { startBenchFeed } from './feed/notifier.ts';
import { startClients } from './feed/processes.ts';
import { limit, residentMb } from './support.ts';

const sockets = 1000;

await limit({
  name: 'idle-sockets',
  what: `notifier with ${sockets} sockets`,
  unit: 'MB',
  atMost: 150,
  ours: async () => {
    const feed = await startBenchFeed();
    const clients = await startClients({ url: feed.url, token: feed.token, sockets, events: 1 });
    try {
      await pause(20_000); // a notice and two pings each
      return await residentMb(feed.metricsUrl);
    } finally {
      clients.stop();
      await feed.stop();
    }
  },
});
