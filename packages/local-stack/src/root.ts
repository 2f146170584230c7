import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
/** The folder for the data, logs and run files of npm start and npm test. `COMANDA_DIR` overrides it. */
export const comandaDir = process.env['COMANDA_DIR'] || join(root, '.comanda');
/** The lock file for npm start. */
export const starterFile = join(comandaDir, 'starter.json');
/** The folder for downloaded programs, which all runs share. */
export const programsDir = join(root, '.comanda', 'programs');
