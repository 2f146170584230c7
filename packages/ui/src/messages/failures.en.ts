import { en as readFailures } from './read-failures.en.ts';

export const en = {
  ...readFailures,
  body_too_large: ['This is too large.', 'It wasn’t sent. Make it smaller and try again.'],
  reauthentication_required: [
    'Sign in with your password to do this.',
    'Nothing was changed. Sign in with your e-mail and password, then try again.',
  ],
  sign_ups_stopped: [
    'The restaurant has paused new accounts.',
    'No account was created. Sign in if you have one. To order, scan the code on your table.',
  ],
  transfers_stopped: [
    'The restaurant has paused transfers.',
    'No money was transferred. Pay by cash or card, or try later.',
  ],
  invalid_credentials: ['The e-mail or the password is wrong.', 'You’re not signed in. Check both and try again.'],
  password_blocked: [
    'Too many wrong passwords were entered for this user.',
    'You’re not signed in. Ask a manager for a new password, or use your PIN where you’re still signed in.',
  ],
  email_taken: ['This e-mail is already registered.', 'No account was created. Sign in, or use another e-mail.'],
  password_too_weak: ['This password is too easy to guess.', 'It wasn’t set. Choose a longer, less common one.'],
  password_invalid: ['The current password is wrong.', 'It wasn’t changed. Enter it again.'],
  validation_failed: ['Something in the form isn’t right.', 'Nothing was changed. Correct it and try again.'],
  signed_out: ['You’re signed out.', 'Nothing was changed. Sign in and try again.'],
  forbidden: ['You don’t have permission to do this.', 'Nothing was changed. Ask a manager.'],
  not_found: ['This no longer exists.', 'Nothing was changed. Go back and check.'],
  conflict: ['Someone else just changed this.', 'Nothing was changed. Check what it says now, then decide again.'],
};
