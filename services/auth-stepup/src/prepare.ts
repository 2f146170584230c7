// Prepares the database for this release, before the service starts: node dist/prepare.js in the image of auth-stepup
import { runPrepare } from '@comanda/shared/mongo/run-command';
import { authStepupPreparation } from './preparation.ts';

await runPrepare({ ...authStepupPreparation, database: 'comanda_auth' }, process.env);
