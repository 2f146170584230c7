export const en = {
  unreachable: ['There is no connection.', 'The server did not answer. Check the Wi-Fi, then try again.'],
  unreachableUnknown: ['There was no answer.', 'It may have been done or not. Try again: it is done once only.'],
  inBetween: [
    'Something between this device and the server answered: error {status}.',
    'Try again in a moment. If it happens again, report this number.',
  ],
  networkSignIn: [
    'The network answered in place of the restaurant.',
    'It may want you to sign in first: open its sign-in page, or use another network. Then try again.',
  ],
  body_too_large: ['This is too large.', 'It was not sent. Make it smaller and try again.'],
  rate_limited: ['Too many tries in a short time.', 'Nothing was changed. Wait a minute, then try again.'],
  reauthentication_required: [
    'This needs a sign-in with the password.',
    'Nothing was changed. Sign in with e-mail and password, then repeat it.',
  ],
  sign_ups_stopped: [
    'The restaurant opens no new accounts now.',
    'No account was made. Sign in if you have one; to order, scan the code on your table.',
  ],
  transfers_stopped: [
    'The restaurant has stopped transfers.',
    'No money moved. Pay by cash or card, or try again later.',
  ],
  invalid_credentials: ['The e-mail or the password is wrong.', 'You are not signed in. Check both and try again.'],
  password_blocked: [
    'Too many wrong passwords were entered for this user.',
    'You are not signed in. Ask a manager for a new password, or use your PIN where you are still signed in.',
  ],
  email_taken: ['Somebody is registered with this e-mail.', 'No account was made. Sign in, or use another e-mail.'],
  password_too_weak: ['This password is too easy to guess.', 'It was not set. Choose a longer one that is not common.'],
  password_invalid: ['The current password is wrong.', 'It was not changed. Type it again.'],
  validation_failed: ['Something in the form is not right.', 'Nothing was changed. Correct it and try again.'],
  signed_out: ['You are signed out.', 'Nothing was changed. Sign in again, then repeat it.'],
  forbidden: ['You may not do this.', 'Nothing was changed. Ask a manager.'],
  not_found: ['This does not exist any more.', 'Nothing was changed. Go back and look again.'],
  conflict: ['Somebody else was faster.', 'Nothing was changed. Look at the current state, then decide again.'],
  service: ['A part of the system does not answer.', 'Try again in a moment.'],
  other: ['The server refused this.', 'Nothing was changed. Try again, or call a member of the staff.'],
};
