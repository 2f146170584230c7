// Prepares the database for this release, before the service starts: node dist/prepare.js in auth-stepup's image
import { runPrepare } from '@comanda/shared/mongo/run-command';
import { authStepupPreparation } from './preparation.ts';

await runPrepare({ ...authStepupPreparation, database: 'comanda_auth' }, process.env);
