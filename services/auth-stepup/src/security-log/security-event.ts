import type { AuditType } from '@comanda/contracts/audit';
import type { AuthorizationDetails } from '@comanda/contracts/step-up';

/**
 * The types of events in a user's list: events about the PIN, tokens and sign-ins, and changes that other users made to this
 * user.
 */
export type SecurityEventType =
  | AuditType
  | 'signed_in'
  | 'signed_in_on_tablet'
  | 'sign_in_failed'
  | 'refresh_token_reused'
  | 'session_ended'
  | 'sessions_ended'
  | 'password_changed'
  | 'password_wrong'
  | 'tablet_pin_set'
  | 'tablet_pin_wrong'
  | 'tablet_pin_blocked'
  | 'transaction_password_created'
  | 'transaction_password_changed'
  | 'transaction_password_wrong'
  | 'transaction_password_blocked'
  | 'transaction_password_reset'
  | 'step_up_issued'
  | 'step_up_spent';

/**
 * The action for which a PIN was entered, and the step-up token issued for that action. If `details` is null, the token allows
 * any call to the endpoint.
 */
export type Purpose = { endpointKey: string; details: AuthorizationDetails | null; jti?: string };

/** The client that sent a request. */
export type Origin = { address: string; userAgent: string };

/** The origin recorded for actions that a service performs for a user. */
export const serviceOrigin: Origin = { address: 'service', userAgent: '' };

export const originOf = (call: { address: string; header: (name: string) => string | undefined }): Origin => ({
  address: call.address,
  userAgent: (call.header('user-agent') ?? '').replaceAll(/[^\u0020-\u007e]/g, '?').slice(0, 255),
});
