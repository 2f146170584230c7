import { maxPinAttempts, resetApprovalMinutes, resetDelayHours, stepUpTokenSeconds } from './rules.ts';

/** Problems with the PIN and with step-up tokens. They are part of `problems`. */
export const securityProblems = {
  transaction_password_exists: {
    status: 409,
    title: 'PIN already set',
    about: 'You already have a PIN.',
    next: 'Change it, or ask a manager to approve a reset.',
  },
  transaction_password_absent: {
    status: 409,
    title: 'PIN not set',
    about: 'This user has no PIN.',
    next: 'Create one with `POST /security/transaction-password`.',
  },
  transaction_password_weak: {
    status: 422,
    title: 'PIN too weak',
    about: 'The PIN is too easy to guess.',
    next: "Choose one that isn't a date, a sequence, a repetition or a common PIN.",
  },
  confirmation_mismatch: {
    status: 422,
    title: "PINs don't match",
    about: "The PIN and its confirmation don't match.",
    next: 'Enter the same PIN twice.',
  },
  transaction_password_invalid: {
    status: 403,
    title: 'Wrong PIN',
    about: 'The PIN is wrong.',
    next: '`attempts_remaining` is the number of attempts left before it is blocked.',
  },
  transaction_password_blocked: {
    status: 429,
    title: 'PIN blocked',
    about: `The PIN is blocked after ${maxPinAttempts} wrong attempts.`,
    next: 'Wait until `blocked_until`, or ask a manager to approve a reset. If `blocked_until` is null, only a reset unblocks it.',
  },
  transaction_password_busy: {
    status: 429,
    title: 'PIN is being checked',
    about: 'Other attempts with this PIN are being checked.',
    next: 'Try again after the number of seconds in `Retry-After`.',
  },
  reauthentication_required: {
    status: 401,
    title: 'Sign in again',
    about: "This call needs a recent sign-in with the password. A sign-in with a tablet PIN doesn't count.",
    next: 'Sign in with email and password, then repeat the call.',
  },
  reset_not_approved: {
    status: 403,
    title: 'Reset not approved',
    about: 'This reset has no valid approval.',
    next: `Ask a manager to approve it. An approval lasts ${resetApprovalMinutes} minutes and works once.`,
  },
  reset_too_soon: {
    status: 403,
    title: 'Reset too soon',
    about: `Another user set your password less than ${resetDelayHours} hours ago.`,
    next: 'Wait until that time has passed, then create or reset the PIN.',
  },
  endpoint_key_unknown: {
    status: 422,
    title: 'Unknown endpoint key',
    about: 'No endpoint has this key.',
    next: 'The API reference lists the key of each call that needs a step-up token.',
  },
  authorization_details_invalid: {
    status: 422,
    title: 'Invalid authorization details',
    about: "The `authorization_details` don't belong to this `endpoint_key`, or it requires them and they are missing.",
    next: 'Send the details of the call that the token is for.',
  },
  transfers_stopped: {
    status: 403,
    title: 'Transfers paused',
    about: 'The restaurant has paused transfers, including bill payments from accounts. No money moved.',
    next: 'Pay by cash or card. Watch `GET /stops` or the event `stops.changed` to see when transfers resume. Then send the call again, with a new PIN check.',
  },
  step_up_required: {
    status: 401,
    title: 'Step-up required',
    about: 'This call needs a step-up token.',
    next: 'Get one with `POST /security/step-up` and send it in `X-Step-Up-Token`.',
  },
  step_up_invalid: {
    status: 401,
    title: 'Invalid step-up token',
    about: "The step-up token isn't valid.",
    next: 'Get a new one with `POST /security/step-up`.',
  },
  step_up_expired: {
    status: 401,
    title: 'Step-up token expired',
    about: `A step-up token is valid for ${stepUpTokenSeconds} seconds.`,
    next: 'Get a new one with `POST /security/step-up`.',
  },
  step_up_used: {
    status: 401,
    title: 'Step-up token used',
    about: 'A step-up token is valid for one call only.',
    next: 'Get a new one with `POST /security/step-up`.',
  },
  step_up_wrong_endpoint: {
    status: 401,
    title: 'Step-up token for a different endpoint',
    about: 'The step-up token was issued for a different endpoint.',
    next: 'Get a new one for the `endpoint_key` of this call.',
  },
  step_up_wrong_details: {
    status: 401,
    title: "Details don't match the step-up token",
    about: 'The request differs from the `authorization_details` that the PIN was entered for.',
    next: 'Get a new step-up token for this request.',
  },
} as const;
