import type { Role } from '@comanda/contracts/endpoint';
import type { AuditDetails, AuditType } from '@comanda/contracts/security';
import type { Origin } from './security-event.ts';

/** The user or operator who made a change. An operator runs a command on the server and is not a user. */
export type Actor = { id: number; role: Role } | { id: null; role: 'operator' };
export const operator: Actor = { id: null, role: 'operator' };

/** A change of a user, a table or a key, and its actor. */
export type AuditEntry = {
  type: AuditType;
  /** Milliseconds since the epoch. */
  time: number;
  actor: Actor;
  /** The user concerned; null for tables and keys. */
  userId: number | null;
  details: AuditDetails;
  origin: Origin;
  /** The step-up token that was spent for it. The index allows it only once. */
  jti?: string;
};

export const commandOrigin = (command: string): Origin => ({ address: 'console', userAgent: command });
