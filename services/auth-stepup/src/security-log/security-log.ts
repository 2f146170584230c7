/** What a user can see of what happened to their PIN, tokens and sign-ins. */
export type NoteType =
  | 'signed_in'
  | 'sign_in_failed'
  | 'refresh_token_reused'
  | 'sessions_ended'
  | 'password_changed'
  | 'password_set_by_manager'
  | 'password_wrong'
  | 'transaction_password_created'
  | 'transaction_password_changed'
  | 'transaction_password_wrong'
  | 'transaction_password_blocked'
  | 'transaction_password_reset_approved'
  | 'transaction_password_reset'
  | 'step_up_issued';
export type Origin = { address: string; userAgent: string };
/** Keeps it for the user's list. Never fails: what it tells of has happened, and is answered as that. */
export type Note = (userId: number, type: NoteType, origin: Origin) => Promise<void>;

/** Where a call came from, as the list shows it. */
export const originOf = (call: { address: string; header: (name: string) => string | undefined }): Origin => ({
  address: call.address,
  userAgent: (call.header('user-agent') ?? '').replaceAll(/[^\u0020-\u007e]/g, '?').slice(0, 255),
});
