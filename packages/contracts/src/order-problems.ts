import { maxOpenItemsPerSeating, menuPictures } from './rules.ts';

/** Problems with dishes, orders, tables and bills. They are part of `problems`. */
export const orderProblems = {
  menu_item_exists: {
    status: 409,
    title: 'Dish already exists',
    about: 'Another dish has this name. Case, spaces and invisible characters make no difference.',
    next: 'Choose another name.',
  },
  menu_item_unknown: {
    status: 422,
    title: 'Unknown dish',
    about: "`items` lists the dishes that aren't on the menu.",
    next: 'Fetch the menu again and correct the order.',
  },
  menu_item_unavailable: {
    status: 409,
    title: 'Dish unavailable',
    about:
      '`items` lists the dishes that are sold out or have too few portions left. `option_ids` are the options that are sold out.',
    next: 'Change these dishes and send the order again.',
  },
  options_invalid: {
    status: 422,
    title: 'Options invalid',
    about:
      "`items` lists every defect: `index` is the line. `unknown`: the option isn't offered there. `repeated`: it is named twice. `too_many_of_one`: its quantity is above `max_each`. `too_few`, `too_many`: the group's options don't add up to `min` to `max`. `parent_option_id` is the option that opens the group; null for the dish.",
    next: 'Fetch the dish and its option groups again, and let the person choose again.',
  },
  option_group_in_use: {
    status: 409,
    title: 'Option group in use',
    about: '`item_ids` are the dishes on the menu, and `option_group_ids` the groups, that use this group.',
    next: 'Take the group out of these first.',
  },
  picture_invalid: {
    status: 422,
    title: 'Invalid image',
    about: `The file can't be used as a photo of a dish. Nothing was stored. \`reason\` is \`unreadable\` if it is damaged or not an image. \`too_many_pixels\`: it has more than ${menuPictures.maxMegapixels} megapixels, or ${menuPictures.maxAvifMegapixels} as AVIF. \`too_many_scans\`: it is a progressive JPEG with more than ${menuPictures.maxScans} scans. \`animated\`: it has several frames.`,
    next: 'Send a JPEG, PNG, WebP or AVIF image with one frame, or a smaller copy of this one.',
  },
  too_many_pictures: {
    status: 409,
    title: 'Too many pictures',
    about: `The menu already has ${menuPictures.max} uploaded pictures, the most it can have. Nothing was stored.`,
    next: 'Remove dishes or pictures, then upload this one again.',
  },
  ordering_paused: {
    status: 503,
    title: 'Ordering paused',
    about: "The restaurant isn't accepting orders right now.",
    next: 'Try again after the number of seconds in `Retry-After`.',
  },
  table_mismatch: {
    status: 403,
    title: 'Wrong table',
    about: 'Guests can order only for the table whose QR code they scanned.',
    next: "Leave out `table`, or scan the other table's QR code.",
  },
  table_code_required: {
    status: 403,
    title: 'Table code required',
    about: 'At this restaurant, customers can order only at a table whose QR code they scanned.',
    next: "Scan your table's QR code (`POST /auth/guest`) and order with that session, or ask a waiter.",
  },
  seating_not_open: {
    status: 403,
    title: 'Table not open',
    about: "Staff haven't opened this table yet.",
    next: 'Ask a waiter to open it (`POST /tables/{table}/open`), then scan the code again.',
  },
  seating_closed: {
    status: 409,
    title: 'Table closed',
    about: 'Staff closed this table, so its seating has ended. Nothing was ordered or moved.',
    next: "Scan the table's QR code again, or ask a waiter. Staff must open the table first.",
  },
  seating_full: {
    status: 429,
    title: 'Too many open items',
    about: `The guests at a table can have at most ${maxOpenItemsPerSeating} open items.`,
    next: 'Wait until some are delivered, then order again.',
  },
  too_many_open_items: {
    status: 409,
    title: 'Open order limit reached',
    about:
      "Customers who haven't scanned a table's QR code have a limit on open orders, open items and portions of a dish. `limit` is the one you reached, and `allowed` is its value.",
    next: "Wait until some are delivered, order fewer, or scan your table's QR code.",
  },
  table_exists: {
    status: 409,
    title: 'Table already exists',
    about: 'Another table has this name. Names are case-insensitive.',
    next: 'Use the existing table, or choose another name.',
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
    about: "The guests to move aren't at this table.",
    next: 'Fetch the tables again (`GET /tables`).',
  },
  illegal_transition: {
    status: 409,
    title: 'Illegal status transition',
    about: "The order or item can't change from its current status to this one.",
    next: '`allowed_transitions` lists the statuses allowed next.',
  },
  bill_not_open: {
    status: 409,
    title: 'Bill not open',
    about: 'The bill is closed, or was merged into another one.',
    next: 'Fetch the bill: `merged_into` is the id of the other one. A manager can reopen a closed bill until its orders are archived.',
  },
  bill_changed: {
    status: 409,
    title: 'Price changed',
    about: '`expected_amount` is out of date. Nothing was recorded.',
    next: 'Show the payer the new `amount`, then send that.',
  },
  bill_unsettled: {
    status: 409,
    title: 'Bill not settled',
    about: "`remaining` is still to be paid, or `payments` aren't settled yet.",
    next: 'Collect or discount the rest, then close the bill.',
  },
  bill_has_payments: {
    status: 409,
    title: 'Bill has payments',
    about: 'Part of this bill is already paid.',
    next: 'Refund the payments first. You can merge a bill without payments into one that has some.',
  },
  bill_item_settled: {
    status: 409,
    title: 'Dish already paid',
    about: 'Part of line `line_id` is paid or reserved.',
    next: 'Refund the payments in `payment_ids` first.',
  },
  bill_overpaid: {
    status: 409,
    title: 'Bill would be overpaid',
    about: 'After this change, payments would exceed the bill by `by`.',
    next: 'Refund a payment first.',
  },
  bill_split_conflict: {
    status: 409,
    title: 'Split conflict',
    about: 'This part is already paid, or the bill is being split in another way.',
    next: 'Fetch the bill again. Dishes are paid first, then the rest in shares. `shares_of` and `shares_taken` show the current split.',
  },
  nothing_to_pay: {
    status: 409,
    title: 'Nothing to pay',
    about: 'The amount for this part is zero.',
    next: 'Fetch the bill again: it may be paid already.',
  },
  payment_not_payable: {
    status: 409,
    title: 'Wrong payment status',
    about: "A payment with status `payment_status` doesn't allow this.",
    next: 'Fetch the bill again.',
  },
  refund_by_pix: {
    status: 409,
    title: 'Refund by Pix required',
    about: "This payment was made by Pix, and staff haven't confirmed it.",
    next: 'If it is paid, a manager can refund it with `POST /pix/receipts/{e2e}/refunds` and a PIN. `end_to_end_id` is the id of the Pix; null if there is none yet.',
  },
  refund_by_transfer: {
    status: 409,
    title: 'Refund by transfer required',
    about: 'This payment was made from an account.',
    next: 'A manager can refund it with `POST /accounts/bill-refunds` and a PIN.',
  },
  amount_exceeds_remaining: {
    status: 422,
    title: 'Amount exceeds the balance due',
    about: 'Only `remaining` is left to pay.',
    next: 'Send at most that. Send anything extra as `tip`.',
  },
  amount_mismatch: {
    status: 422,
    title: 'Amount mismatch',
    about: "`amount` isn't the payment's total, or `currency` isn't its currency.",
    next: 'Send `total`, which is the amount with the tip.',
  },
  amount_too_small: {
    status: 422,
    title: 'Received amount too low',
    about: '`received` is less than the amount with the tip.',
    next: 'Correct it, or leave it out.',
  },
  discount_too_large: {
    status: 422,
    title: 'Discount too large',
    about: 'At most `at_most` can still be discounted.',
    next: 'Send at most that.',
  },
  movement_not_reversible: {
    status: 409,
    title: 'Movement not reversible',
    about:
      'A movement can be reversed once, on the same day, before its cash drawer is counted. Reversals, payments, refunds and the movements of a count stay.',
    next: 'Enter a movement in the other direction, or count the cash drawer.',
  },
  cash_drawer_not_empty: {
    status: 409,
    title: 'Cash drawer not empty',
    about: 'Cash moved since its last count, or the last count left something in it.',
    next: 'Count it with `left` 0.00, then retire it.',
  },
  day_changed: {
    status: 409,
    title: 'Day changed',
    about:
      'Another manager closed this day, or it is not the running one. `number` and `previous_hash` are those of the running day.',
    next: 'Fetch `GET /days`: your own request may have closed it. Otherwise, fetch `GET /day` and close that day.',
  },
  day_not_closable: {
    status: 409,
    title: 'Day not closable',
    about:
      '`bills` are open and not carried over, or `cash_drawers` are not counted. `bill_count` counts all such bills.',
    next: 'Close these bills or carry them over, and count these cash drawers.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    about: 'The resource has changed since you fetched it.',
    next: 'Fetch it again and retry with the new `ETag`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    about: 'This idempotency key was used for a different call of the same kind.',
    next: 'Use a new key for each new call.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    about: 'The first call with this idempotency key is still running.',
    next: 'Repeat the same call in a second.',
  },
} as const;
