import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** What running and testing leave on the disk: data, logs, who runs. `COMANDA_DIR` puts it elsewhere. */
export const comandaDir = process.env['COMANDA_DIR'] || join(root, '.comanda');
/** Programs that were fetched; all runs share them. */
export const programsDir = join(root, '.comanda', 'programs');
