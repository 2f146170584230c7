import type { Role } from '@comanda/contracts/endpoint';
import type { AuditDetails, AuditType } from '@comanda/contracts/audit';
import type { Origin } from './security-event.ts';

/** The user or operator who made a change. An operator is not a user, but runs a command on the server. */
export type Actor = { id: number; role: Role } | { id: null; role: 'operator' };
export const operator: Actor = { id: null, role: 'operator' };

/** A change to a user, a table or a key, with its actor. */
export type AuditEntry = {
  type: AuditType;
  /** The time of the change, in milliseconds since the epoch. */
  time: number;
  actor: Actor;
  /** The user that was changed; null for tables and keys. */
  userId: number | null;
  details: AuditDetails;
  origin: Origin;
  /** The step-up token that was spent for the change. The index allows each token only once. */
  jti?: string;
};

export const commandOrigin = (command: string): Origin => ({ address: 'console', userAgent: command });
