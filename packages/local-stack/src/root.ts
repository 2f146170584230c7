import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
/** The folder for data, logs and run files from npm start and npm test. `COMANDA_DIR` sets another folder. */
export const comandaDir = process.env['COMANDA_DIR'] || join(root, '.comanda');
/** The lock file used by npm start. */
export const starterFile = join(comandaDir, 'starter.json');
/** Downloaded programs, shared by all runs. */
export const programsDir = join(root, '.comanda', 'programs');
