import type { Role } from '@comanda/contracts/endpoint';
import type { Caller } from '@comanda/shared/http/token-verifier';

/** The user who makes a change. */
export type Actor = { id: number; name: string; role: Role };

export const actorOf = ({ userId: id, name, role }: Caller): Actor => ({ id, name, role });
