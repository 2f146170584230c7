import type { Role } from '@comanda/contracts/endpoint';

/** Who makes a change. */
export type Actor = { id: number; name: string; role: Role };
