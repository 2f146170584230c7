export const failures = {
  account_not_found: ['There is no account with this number.', 'Nothing was sent. Check the number.'],
  same_account: ['This is the account that you pay from.', 'Nothing was sent. Type another number.'],
  currency_mismatch: [
    'That account has another currency.',
    'Nothing was sent. Money moves between accounts in the same currency.',
  ],
  insufficient_funds: ['There is not enough money in your account.', 'Nothing was sent. Type a smaller amount.'],
  transaction_password_busy: ['Another check of your PIN is running.', 'Nothing was sent. Try again in a moment.'],
  transaction_password_weak: [
    'This PIN is too easy to guess.',
    'It was not set. Choose one without a date, a row or a pattern.',
  ],
  confirmation_mismatch: ['The two PINs differ.', 'Nothing was set. Begin with the new PIN again.'],
  transaction_password_exists: [
    'You have a PIN already.',
    'Nothing was changed. Change it, or ask a manager to approve a new one.',
  ],
  transaction_password_absent: ['You have no PIN yet.', 'Nothing was sent. Choose a PIN first.'],
  transaction_password_blocked: ['Your PIN is blocked.', 'Nothing was changed.'],
  reset_not_approved: [
    'No manager has approved this yet, or it was longer than 15 minutes ago.',
    'Your PIN was not changed. Ask a manager, then try again.',
  ],
  reset_too_soon: [
    'Somebody else set your password less than 24 hours ago.',
    'No PIN was set. Wait until 24 hours have passed.',
  ],
  password_invalid: ['The password is wrong.', 'Nothing was changed. Type it again.'],
  invalid_credentials: ['The password is wrong.', 'The page stays locked. Type it again.'],
  reauthentication_required: [
    'You signed in a while ago.',
    'Nothing was changed. Enter your password, then try again.',
  ],
  idempotency_key_reused: [
    'The server knows another transfer by this number.',
    'Nothing was sent now. Look at the statement before you send it again.',
  ],
  not_found: ['This transfer does not exist, or it is not yours.', 'Go back to the statement.'],
};
