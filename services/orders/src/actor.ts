import type { Role } from '@comanda/contracts/endpoint';

/** The user who makes a change. */
export type Actor = { id: number; name: string; role: Role };
