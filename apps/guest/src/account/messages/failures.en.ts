export const failures = {
  account_not_found: ['There’s no account with this number.', 'Nothing was sent. Check the number.'],
  same_account: ['That’s the account you’re paying from.', 'Nothing was sent. Enter a different number.'],
  currency_mismatch: [
    'That account uses a different currency.',
    'Nothing was sent. Money moves between accounts in the same currency.',
  ],
  insufficient_funds: ['There isn’t enough money in your account.', 'Nothing was sent. Enter a smaller amount.'],
  transaction_password_busy: ['Your PIN is already being checked.', 'Nothing was sent. Try again in a moment.'],
  transaction_password_weak: [
    'This PIN is too easy to guess.',
    'It wasn’t set. Choose one that isn’t a date, a sequence or a pattern.',
  ],
  confirmation_mismatch: ['The PINs don’t match.', 'Nothing was set. Enter the new PIN again.'],
  transaction_password_exists: [
    'You already have a PIN.',
    'Nothing was changed. Change it, or ask a manager to approve a new one.',
  ],
  transaction_password_absent: ['You don’t have a PIN yet.', 'Nothing was sent. Choose a PIN first.'],
  transaction_password_blocked: ['Your PIN is blocked.', 'Nothing was changed.'],
  reset_not_approved: [
    'No manager has approved this, or the approval is more than 15 minutes old.',
    'Your PIN wasn’t changed. Ask a manager, then try again.',
  ],
  reset_too_soon: [
    'Someone else set your password less than 24 hours ago.',
    'No PIN was set. Wait until 24 hours have passed.',
  ],
  password_invalid: ['The password is wrong.', 'Nothing was changed. Enter it again.'],
  invalid_credentials: ['The password is wrong.', 'The page stays locked. Enter it again.'],
  reauthentication_required: [
    'You signed in a while ago.',
    'Nothing was changed. Enter your password, then try again.',
  ],
  idempotency_key_reused: [
    'This transfer number was already used for another transfer.',
    'Nothing was sent this time. Check the statement before you send it again.',
  ],
  not_found: ['This transfer doesn’t exist, or it isn’t yours.', 'Go back to the statement.'],
};
