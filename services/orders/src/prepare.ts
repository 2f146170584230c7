// Prepares the database for this release before the service starts: node dist/prepare.js in the orders image
import { runPrepare } from '@comanda/shared/mongo/run-command';
import { ordersPreparation } from './preparation.ts';

await runPrepare({ ...ordersPreparation, database: 'comanda_orders' }, process.env);
