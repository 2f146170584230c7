// Run this after MongoDB was restored from a backup: npm run after-restore, or node dist/after-restore.js in the orders image
import { rabbitmqSettings } from '@comanda/shared/config/load-config';
import { deleteStream } from '@comanda/shared/messaging/delete-stream';
import { countWaiting } from '@comanda/shared/messaging/outbox-store';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { CommandError, runCommand } from '@comanda/shared/mongo/run-command';
import { outboxCollections } from './collections.ts';
import { ordersSettings } from './config.ts';
import { ordersPreparation } from './preparation.ts';
import { beginDatabaseEpoch } from './restaurant/begin-database-epoch.ts';
import { createCounterStore } from './restaurant/counter-store.ts';
import { createDatabaseEpochStore } from './restaurant/database-epoch-store.ts';

await runCommand({
  of: {
    service: 'orders',
    database: 'comanda_orders',
    // The backup may come from an older release, so the database is prepared first.
    onConnect: (connection) => prepareDatabase(connection, ordersPreparation, { info: () => undefined }),
  },
  env: process.env,
  settings: { ...rabbitmqSettings, timeZone: ordersSettings.timeZone, dayStartsAt: ordersSettings.dayStartsAt },
  run: async ({ connection, transactions, config }) => {
    const counters = createCounterStore(connection);
    const databaseEpoch = createDatabaseEpochStore(connection);
    const restaurantClock = config;
    const clock = Date.now;
    const epoch = await beginDatabaseEpoch({ counters, databaseEpoch, transactions, restaurantClock, clock });
    await deleteStream(config.rabbitmqUrl).catch((error: unknown) => {
      throw new CommandError(`The stream could not be deleted at RABBITMQ_URL: ${String(error)}. Run this again.`);
    });
    const waiting = await Promise.all(Object.values(outboxCollections(connection)).map(countWaiting));
    return [
      `The database of orders has a new epoch, ${epoch}: every screen reads its lists again.`,
      `Day ${(await counters.readDay()).number} is running again: reports on paper of this day and later ones are void.`,
      'New orders, their items, bills, payments, exceptions, calls, dishes, option groups and options have ids that are 1,000,000 higher, and tickets are 1,000 higher for today.',
      'The stream comanda.feed is deleted: nothing that it had is sent again.',
      `${waiting.reduce((sum, count) => sum + count)} events wait in the database, and are published when orders runs. All others of the backup were published before it.`,
    ].join('\n');
  },
});
