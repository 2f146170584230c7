import {
  maxBodyKilobytes,
  maxJsonDepth,
  maxOpenItemsPerSeating,
  maxPasswordBytes,
  maxPinAttempts,
  resetApprovalMinutes,
  resetDelayHours,
  stepUpTokenSeconds,
} from './rules.ts';

const repeatUnknown = 'If `outcome` is `unknown`, repeat the call with the same idempotency key.';

/**
 * Every failure that the API answers [RFC 9457]. `code` is stable. `title` names the problem for people; `about` says
 * what happened, `next` what is allowed or what to do.
 */
export const problems = {
  validation_failed: {
    status: 400,
    title: 'Validation failed',
    about: 'Fields of the request are not valid.',
    next: '`errors` lists them with the reason: correct them and send the request again.',
  },
  unprocessable_content: {
    status: 422,
    title: 'Unprocessable content',
    about: 'Each field of the request is valid, but its value does not fit the others, the resource or your role.',
    next: '`errors` lists them with the reason: correct them and send the request again.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    about: 'The body is not valid JSON.',
    next: `It must be one JSON object in UTF-8, without duplicate keys and at most ${maxJsonDepth} levels deep.`,
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    about: 'The request is not valid HTTP, or a header is invalid or sent more than once.',
    next: '`detail` names the cause: correct it and send the request again.',
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
    about: 'Your role does not allow this call, or not for this resource.',
    next: '`GET /auth/me` returns your role.',
  },
  caller_not_allowed: {
    status: 403,
    title: 'Caller not allowed',
    about: 'Only certain services may make this call, and the request is not signed by one of them.',
    next: 'Calls between services need `SERVICE_SECRET` and `CALLER_SECRETS`.',
  },
  tls_required: {
    status: 403,
    title: 'TLS required',
    about: 'The request came over plain HTTP, where passwords and tokens can be read.',
    next: 'Use `https://` and `wss://`. A proxy in front must be one of `TRUSTED_PROXIES` and send `X-Forwarded-Proto: https`. If you sent a password or a token, replace it.',
  },
  account_required: {
    status: 403,
    title: 'Account required',
    about: 'Guests cannot make this call.',
    next: 'Register and sign in first.',
  },
  password_change_required: {
    status: 403,
    title: 'Password change required',
    about: 'Your password was set by someone else and must be changed first.',
    next: 'Call `PUT /auth/password`, then refresh your tokens.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    about: 'No such resource exists, or you may not see it.',
    next: 'Check the path and the id.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    about: 'The path exists, but not with this method.',
    next: 'The `Allow` header lists the methods that it supports.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    about: `The body is larger than the limit of ${maxBodyKilobytes} KB.`,
    next: 'Send a smaller one.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    about: 'The body must be `application/json` in UTF-8, without compression.',
    next: 'Set `Content-Type: application/json`.',
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
    next: 'Set `transports: ["websocket"]` in the Socket.IO client.',
  },

  email_taken: {
    status: 409,
    title: 'E-mail taken',
    about: 'A user with this e-mail exists.',
    next: 'Sign in, or use another e-mail.',
  },
  sign_ups_stopped: {
    status: 403,
    title: 'Sign-ups stopped',
    about: 'The restaurant takes no new customers now. Nobody was registered.',
    next: 'Sign in if you have an account, or order as a guest with the code of your table. `GET /stops` and the event `stops.changed` tell when sign-ups go on.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Invalid credentials',
    about: 'The e-mail or the password is wrong, or the user is disabled.',
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
    about: "The table's code has changed or the table no longer exists.",
    next: 'Scan the current QR code of the table.',
  },
  invitation_invalid: {
    status: 401,
    title: 'Invalid invitation',
    about: 'The link of the invitation was used, was replaced or withdrawn, or has ended.',
    next: 'If you have chosen a password with it, sign in. Otherwise ask a manager for another one.',
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
    about: 'Too many wrong passwords in a row were entered for this user, so that none is accepted any more.',
    next: 'Have a manager set a new password, or enter your PIN on a device where you are still signed in.',
  },
  password_too_weak: {
    status: 422,
    title: 'Password too weak',
    about: 'The new password is too easy to guess or too long.',
    next: `Choose one that is not a common password and has at most ${maxPasswordBytes} bytes in UTF-8.`,
  },

  menu_item_exists: {
    status: 409,
    title: 'Dish exists',
    about: 'Another dish has this name; upper and lower case count as equal.',
    next: 'Choose another name.',
  },
  menu_item_unknown: {
    status: 422,
    title: 'Unknown dish',
    about: '`items` lists the dishes that are not on the menu.',
    next: 'Read the menu again and correct the order.',
  },
  menu_item_unavailable: {
    status: 409,
    title: 'Dish unavailable',
    about: '`items` lists the dishes that are sold out or have too few portions left.',
    next: 'Change the order and send it again.',
  },
  ordering_paused: {
    status: 503,
    title: 'Ordering paused',
    about: 'The restaurant is not accepting orders now.',
    next: 'Try again after the number of seconds in `Retry-After`.',
  },
  table_mismatch: {
    status: 403,
    title: 'Another table',
    about: 'A guest can order only for the table whose QR code was scanned.',
    next: 'Leave `table` out, or scan the code of the other table.',
  },
  table_code_required: {
    status: 403,
    title: 'Code of a table required',
    about: 'At this restaurant, customers order only at a table whose code they have scanned.',
    next: 'Scan the code of your table (`POST /auth/guest`) and order with that session, or ask a waiter.',
  },
  seating_not_open: {
    status: 403,
    title: 'Table not open',
    about: 'Staff have not opened this table yet.',
    next: 'Ask a waiter to open it (`POST /tables/{table}/open`), then scan the code again.',
  },
  seating_closed: {
    status: 409,
    title: 'Table closed',
    about: 'Staff have closed this table, and its seating has ended. Nothing was ordered.',
    next: 'Scan the QR code of the table again, or ask a waiter.',
  },
  seating_full: {
    status: 429,
    title: 'Too many open items',
    about: `The guests at a table can have at most ${maxOpenItemsPerSeating} open items.`,
    next: 'Wait until some are delivered, then order again.',
  },
  too_many_open_items: {
    status: 409,
    title: 'Too much open',
    about:
      'Customers who have not scanned the code of a table may have so many open orders, open items and portions of a dish. `limit` says which of these is reached, `allowed` how many are allowed.',
    next: 'Wait until some are delivered, order fewer, or scan the code of your table.',
  },
  table_seated: {
    status: 409,
    title: 'Table has guests',
    about: 'Guests are seated at this table.',
    next: 'Close it first, choose another table, or join the two (`POST /tables/{table}/join`).',
  },
  table_not_seated: {
    status: 409,
    title: 'Table has no guests',
    about: 'The guests who should move are not seated at this table.',
    next: 'Read the tables again (`GET /tables`).',
  },
  illegal_transition: {
    status: 409,
    title: 'Illegal status transition',
    about: 'The order or item cannot change from its current status to this one.',
    next: '`allowed_transitions` lists the statuses that are allowed next.',
  },
  bill_not_open: {
    status: 409,
    title: 'Bill not open',
    about: 'The bill is closed or was merged into another one.',
    next: 'Read the bill: `merged_into` names the other one. A manager may open a closed bill again, until its orders are archived.',
  },
  bill_changed: {
    status: 409,
    title: 'Price changed',
    about: 'The part does not cost `expected_amount` any more. Nothing was recorded.',
    next: 'Tell the payer `amount`, which it costs now, and send that.',
  },
  bill_unsettled: {
    status: 409,
    title: 'Bill not settled',
    about: '`remaining` is still to be paid, or `payments` are not settled yet.',
    next: 'Take the rest, or discount it, then close the bill.',
  },
  bill_has_payments: {
    status: 409,
    title: 'Bill has payments',
    about: 'Somebody has paid a part of this bill already.',
    next: 'Refund the payments first. A bill without payments may be merged into one that has some.',
  },
  bill_item_settled: {
    status: 409,
    title: 'Dish is paid',
    about: 'A piece of line `line_id` is paid or reserved.',
    next: 'Refund the payments in `payment_ids` first.',
  },
  bill_overpaid: {
    status: 409,
    title: 'More paid than owed',
    about: 'After this change, the payments would be `by` more than the bill comes to.',
    next: 'Refund a payment first.',
  },
  bill_split_conflict: {
    status: 409,
    title: 'Part not free',
    about: 'This part is paid already, or the bill is being split in another way.',
    next: 'Read the bill again. Dishes are paid first, then the rest in shares: `shares_of` and `shares_taken` say how the split stands.',
  },
  nothing_to_pay: {
    status: 409,
    title: 'Nothing to pay',
    about: 'This part comes to nothing.',
    next: 'Read the bill again: it may be paid.',
  },
  payment_not_payable: {
    status: 409,
    title: 'Payment in another state',
    about: 'The payment is `payment_status`, which does not allow this.',
    next: 'Read the bill again.',
  },
  refund_by_transfer: {
    status: 409,
    title: 'Refund to the account',
    about: 'This payment was made from an account.',
    next: 'A manager gives it back with `POST /accounts/bill-refunds` and a PIN.',
  },
  amount_exceeds_remaining: {
    status: 422,
    title: 'Amount above what remains',
    about: 'Only `remaining` is left to pay.',
    next: 'Send at most that. What is given on top is a `tip`.',
  },
  amount_mismatch: {
    status: 422,
    title: 'Another amount',
    about: '`amount` is not the total of the payment, or `currency` not its currency.',
    next: 'Send `total`: the amount and the tip.',
  },
  amount_too_small: {
    status: 422,
    title: 'Received too little',
    about: '`received` is less than the amount and the tip.',
    next: 'Correct it, or leave it out.',
  },
  discount_too_large: {
    status: 422,
    title: 'Discount too large',
    about: 'At most `at_most` is left to discount.',
    next: 'Send at most that.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    about: 'The resource has changed since you read it.',
    next: 'Read it again and repeat the call with the new `ETag`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    about: 'This idempotency key belongs to a different call.',
    next: 'Use a new key for each new call.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    about: 'The first call with this idempotency key is still running.',
    next: 'Repeat the same call in a second.',
  },

  account_not_found: {
    status: 404,
    title: 'Account not found',
    about: 'No such account exists, or the account to pay from is not yours.',
    next: '`GET /accounts` lists your accounts.',
  },
  too_many_accounts: {
    status: 409,
    title: 'Too many accounts',
    about: 'You have as many accounts as one person may have.',
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
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    about: 'The balance is lower than the amount. Nothing was posted.',
    next: 'Send a smaller amount with a new idempotency key and a new step-up token.',
  },

  transaction_password_exists: {
    status: 409,
    title: 'PIN exists',
    about: 'You already have a PIN.',
    next: 'Change it, or have a reset approved by a manager.',
  },
  transaction_password_absent: {
    status: 409,
    title: 'No PIN yet',
    about: 'This user has no PIN.',
    next: 'Create one with `POST /security/transaction-password`.',
  },
  transaction_password_weak: {
    status: 422,
    title: 'PIN too weak',
    about: 'The PIN is too easy to guess.',
    next: 'Choose one that is not a date, a sequence, a repetition, or a common PIN.',
  },
  confirmation_mismatch: {
    status: 422,
    title: 'Confirmation differs',
    about: 'The PIN and its confirmation differ.',
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
    next: 'Wait until `blocked_until`, or have a reset approved by a manager. If `blocked_until` is null, only a reset unblocks it.',
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
    about: 'This call needs a recent sign-in.',
    next: 'Sign in with e-mail and password, then repeat the call.',
  },
  reset_not_approved: {
    status: 403,
    title: 'Reset not approved',
    about: 'No valid approval for this reset exists.',
    next: `Ask a manager to approve it; an approval is valid for ${resetApprovalMinutes} minutes and one use.`,
  },
  reset_too_soon: {
    status: 403,
    title: 'Reset too soon',
    about: `Another user set your password less than ${resetDelayHours} hours ago.`,
    next: 'Wait until this time has passed, then create or reset the PIN.',
  },
  endpoint_key_unknown: {
    status: 422,
    title: 'Unknown endpoint key',
    about: 'No endpoint has this key.',
    next: 'The API reference names the key of each call that needs a step-up token.',
  },
  authorization_details_invalid: {
    status: 422,
    title: 'Details of another endpoint',
    about:
      'The `authorization_details` do not belong to this `endpoint_key`, or this `endpoint_key` requires them and there are none.',
    next: 'Send the details of the call that the token is for.',
  },
  transfers_stopped: {
    status: 403,
    title: 'Transfers stopped',
    about: 'The restaurant has stopped transfers, and payments of bills by account. No money moved.',
    next: 'Pay by cash or card. `GET /stops` and the event `stops.changed` tell when transfers go on: then send the call again, with a new PIN check.',
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
    about: 'The step-up token is not valid.',
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
    title: 'Step-up token for another call',
    about: 'The step-up token was issued for another endpoint.',
    next: 'Get a new one for the `endpoint_key` of this call.',
  },
  step_up_wrong_details: {
    status: 401,
    title: 'Step-up token for other details',
    about: 'The request differs from the `authorization_details` that the PIN was entered for.',
    next: 'Get a new step-up token for this request.',
  },
} as const satisfies Record<string, { status: number; title: string; about: string; next: string }>;

export type ProblemCode = keyof typeof problems;

/** What happened and what to do next, in one text. */
export const explanationOf = (code: ProblemCode): string => `${problems[code].about} ${problems[code].next}`;
