import { orderProblems } from './order-problems.ts';
import { maxBodyKilobytes, maxJsonDepth, maxPasswordBytes, menuImport, menuPictures, optionLimits } from './rules.ts';
import { securityProblems } from './security-problems.ts';

const repeatUnknown = 'If `outcome` is `unknown`, repeat the call with the same idempotency key.';

/**
 * Every problem that the API returns [RFC 9457]. `code` never changes. `title` is a short name, `about` explains what is wrong,
 * and `next` explains what is allowed or what to do.
 */
export const problems = {
  validation_failed: {
    status: 400,
    title: 'Validation failed',
    about: 'Fields of the request are not valid.',
    next: '`errors` lists each field and the reason. Correct them and send the request again.',
  },
  unprocessable_content: {
    status: 422,
    title: 'Unprocessable content',
    about: 'Each field is valid on its own, but not in combination, for this resource or for your role.',
    next: '`errors` lists each field and the reason. Correct them and send the request again.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    about: 'The body is not valid JSON.',
    next: `Send one JSON object in UTF-8, without duplicate keys and at most ${maxJsonDepth} levels deep.`,
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    about: 'The request is not valid HTTP, or a header is invalid or sent more than once.',
    next: '`detail` names the cause. Correct it and send the request again.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication required',
    about: 'This call needs an access token.',
    next: 'Send it as `Authorization: Bearer <access token>`.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    about: 'The access token is not valid or has expired.',
    next: 'Refresh it with `POST /auth/refresh`, or sign in again.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    about: "Your role can't make this call, or can't make it for this resource.",
    next: '`GET /auth/me` returns your role.',
  },
  caller_not_allowed: {
    status: 403,
    title: 'Caller not allowed',
    about: "Only certain services can make this call, and the request isn't signed by one of them.",
    next: 'Sign calls between services with `SERVICE_SECRET`, and list the caller in `CALLER_SECRETS`.',
  },
  tls_required: {
    status: 403,
    title: 'TLS required',
    about: 'The request came over plain HTTP, where others can read passwords and tokens.',
    next: 'Use `https://` and `wss://`. A proxy in front must be one of `TRUSTED_PROXIES` and send `X-Forwarded-Proto: https`. If you sent a password or a token, replace it.',
  },
  account_required: {
    status: 403,
    title: 'Account required',
    about: "Guests can't make this call.",
    next: 'Register and sign in first.',
  },
  password_change_required: {
    status: 403,
    title: 'Password change required',
    about: 'Another person set your password, so you must change it first.',
    next: 'Call `PUT /auth/password`, then refresh your tokens.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    about: "This resource doesn't exist, or you don't have access to it.",
    next: 'Check the path and the id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    about: 'The path exists, but not with this method.',
    next: 'The `Allow` header lists the methods that work here.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    about: `The body is larger than the limit: ${maxBodyKilobytes} KB, ${optionLimits.maxKilobytes} KB for an option group, ${menuImport.maxKilobytes} KB for an import of the menu, or ${menuPictures.maxMegabytes} MB for a picture.`,
    next: 'Send a smaller one.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    about: "This call doesn't accept a body of this type.",
    next: 'Set `Content-Type: application/json` and send JSON in UTF-8, without compression. For a picture, set the type of the picture: `detail` lists the allowed ones.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    about: 'You have sent too many requests.',
    next: 'Wait for the number of seconds in `Retry-After`, then try again.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    about: 'The server failed.',
    next: `Report the \`request_id\`. ${repeatUnknown}`,
  },
  bad_gateway: {
    status: 502,
    title: 'Bad gateway',
    about: 'A service did not complete its response.',
    next: repeatUnknown,
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    about: 'A service is down or overloaded.',
    next: `Try again after the number of seconds in \`Retry-After\`. ${repeatUnknown}`,
  },
  gateway_timeout: {
    status: 504,
    title: 'Gateway timeout',
    about: 'A service did not respond in time.',
    next: repeatUnknown,
  },
  upgrade_required: {
    status: 400,
    title: 'WebSocket only',
    about: 'The live feed accepts WebSocket connections only.',
    next: 'Set `transports: ["websocket"]` in Socket.IO 3 or newer.',
  },

  email_taken: {
    status: 409,
    title: 'Email already registered',
    about: 'This email address is already registered.',
    next: 'Sign in, or use another email address.',
  },
  sign_ups_stopped: {
    status: 403,
    title: 'Sign-ups paused',
    about: 'The restaurant has paused sign-ups. No account was created.',
    next: "Sign in if you have an account, or scan your table's QR code to order as a guest. Watch `GET /stops` or the event `stops.changed` to see when sign-ups resume.",
  },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    about: 'The email address or password is wrong, or the user is disabled.',
    next: 'Check both, or ask a manager.',
  },
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    about: 'The refresh token was used before, was revoked, or has expired.',
    next: 'Sign in again.',
  },
  table_token_invalid: {
    status: 401,
    title: 'Invalid table token',
    about: "The table's QR code has changed, or the table no longer exists.",
    next: "Scan the table's current QR code.",
  },
  invitation_invalid: {
    status: 401,
    title: 'Invalid invitation',
    about: 'The invitation link was used, replaced or withdrawn, or it has expired.',
    next: 'If you already set a password, sign in. Otherwise, ask a manager for a new link.',
  },
  setup_code_invalid: {
    status: 401,
    title: 'Invalid setup code',
    about: 'The setup code is wrong or has expired, or a newer code has replaced it.',
    next: 'Enter the newest code as it was printed, or create another one on the server with `npm run create-setup-code`.',
  },
  setup_complete: {
    status: 409,
    title: 'Already set up',
    about: 'This restaurant already has a manager, so a setup code no longer creates one.',
    next: 'Sign in, or ask a manager to invite you.',
  },
  tablet_invalid: {
    status: 401,
    title: 'Unknown tablet',
    about: "The tablet isn't registered, or a manager removed it.",
    next: 'Sign in with email and password. A manager can register the tablet again.',
  },
  tablet_pin_invalid: {
    status: 403,
    title: 'Wrong tablet PIN',
    about: "The name and tablet PIN don't match.",
    next: '`attempts_remaining` is the number of attempts left before you must wait. To set another tablet PIN, sign in with email and password.',
  },
  tablet_pin_blocked: {
    status: 429,
    title: 'Tablet PIN blocked',
    about: 'There were too many wrong tablet PINs on this tablet.',
    next: 'Wait until `blocked_until`, or sign in with email and password. If `blocked_until` is null, set another tablet PIN.',
  },
  tablet_pin_weak: {
    status: 422,
    title: 'Weak tablet PIN',
    about: 'The tablet PIN is too easy to guess: repeated digits, equal steps as in 1234, a year or a common PIN.',
    next: 'Choose four digits without a pattern.',
  },
  password_invalid: {
    status: 403,
    title: 'Wrong password',
    about: 'The current password is wrong.',
    next: 'Send the password that you sign in with.',
  },
  password_blocked: {
    status: 403,
    title: 'Password blocked',
    about: "This user's password is locked after too many wrong attempts in a row.",
    next: "Ask a manager to set a new password, or enter your PIN on a device where you're still signed in.",
  },
  password_too_weak: {
    status: 422,
    title: 'Password too weak',
    about: 'The new password is too easy to guess, or too long.',
    next: `Choose one that isn't a common password and has at most ${maxPasswordBytes} bytes in UTF-8.`,
  },

  ...orderProblems,

  account_not_found: {
    status: 404,
    title: 'Account not found',
    about: "This account doesn't exist, or the account to pay from isn't yours.",
    next: '`GET /accounts` lists your accounts.',
  },
  too_many_accounts: {
    status: 409,
    title: 'Too many accounts',
    about: 'You already have as many accounts as one person can have.',
    next: 'Use one of them: `GET /accounts` lists them.',
  },
  same_account: {
    status: 422,
    title: 'Same account',
    about: 'Both account ids are the same.',
    next: 'Choose two different accounts.',
  },
  currency_mismatch: {
    status: 422,
    title: 'Currency mismatch',
    about: 'Both accounts and the transfer must have the same currency.',
    next: 'Choose accounts in that currency.',
  },
  pix_off: {
    status: 403,
    title: 'Pix is off',
    about: 'The restaurant takes no new payments by Pix.',
    next: 'Pay in another way. `GET /pix` says how the restaurant takes Pix.',
  },
  pix_receipt_state: {
    status: 409,
    title: 'Wrong state of the receipt',
    about: "A receipt in the state `state` doesn't allow this.",
    next: 'Fetch the receipt again.',
  },
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    about: 'The balance is lower than the amount. No money moved.',
    next: 'Send a smaller amount with a new idempotency key and a new step-up token.',
  },

  ...securityProblems,
} as const satisfies Record<string, { status: number; title: string; about: string; next: string }>;

export type ProblemCode = keyof typeof problems;

/** Returns what happened and what to do next, in one text. */
export const explanationOf = (code: ProblemCode): string => `${problems[code].about} ${problems[code].next}`;
