import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** Everything that running and testing leave on the disk. */
export const comandaDir = join(root, '.comanda');
export const programsDir = join(comandaDir, 'programs');
