// Run this command after you restore MongoDB from a backup: npm run after-restore, or node dist/after-restore.js in the image.
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { runCommand } from '@comanda/shared/mongo/run-command';
import { takeNumbers } from './ids/counter-store.ts';
import { authStepupPreparation } from './preparation.ts';

/**
 * How many ids each counter skips: more than can be used between two backups. The counter for audit ids skips none, because those
 * ids must have no gaps.
 */
const skipped = 1_000_000;

await runCommand({
  of: {
    service: 'auth-stepup',
    database: 'comanda_auth',
    // The backup may come from an older release, so the database is prepared first.
    onConnect: (connection) => prepareDatabase(connection, authStepupPreparation, { info: () => undefined }),
  },
  env: process.env,
  settings: {},
  run: async ({ connection }) => {
    await takeNumbers(connection, { of: 'usuarioID', count: skipped });
    await takeNumbers(connection, { of: 'seating', count: skipped });
    return [
      'New users, guests and seatings have ids that are 1,000,000 higher: tokens of those that were lost are for nobody else.',
      'What managers have stopped since the backup goes on again, and links of invitations that were accepted or withdrawn since work again.',
    ].join('\n');
  },
});
