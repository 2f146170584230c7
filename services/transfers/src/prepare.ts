// Prepares the database for this release before the service starts: node dist/prepare.js in the transfers image
import { runPrepare } from '@comanda/shared/mongo/run-command';
import { transfersPreparation } from './preparation.ts';

await runPrepare({ ...transfersPreparation, database: 'comanda_transfers' }, process.env);
