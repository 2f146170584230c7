import { idempotencyKeyHours } from '@comanda/contracts/rules';

/** The text above the list of calls, in Markdown. */
export const introduction = `Orders, menu, tables, accounts and transfers of one restaurant. All bodies except pictures are JSON with keys in \`snake_case\`. Times are RFC 3339: in responses in UTC with milliseconds, in requests with any offset. Money is a decimal string such as \`"12.50"\`. Unknown keys in a body or query are rejected; ignore unknown keys in responses, because new ones may be added. \`/v1/…\` is an alias of every path, and every \`GET\` also works as \`HEAD\`.

## Place an order
On the page \`/docs\`: sign in at the top, choose a call, and press Test Request. In a program:

1. \`GET /menu\` lists the dishes. It needs no token.
2. \`POST /auth/register\` and \`POST /auth/login\`, or \`POST /auth/guest\` with the content of a table's QR code, return tokens. Send the \`access_token\` as \`Authorization: Bearer …\`. It is valid for some minutes; \`POST /auth/refresh\` exchanges the \`refresh_token\`, once, for a new pair of tokens.
3. \`POST /orders\` with \`{"items": [{"name": "Feijoada", "quantity": 2}], "table": "12"}\` and your own \`Idempotency-Key\` places the order. If you get no response, send the same request again: the order is placed once.
4. \`GET /orders/{id}\` returns the order with its current status. The live feed (\`/asyncapi.json\`) sends every change.

## When a call fails
Every error is \`application/problem+json\` [RFC 9457]. In programs, use \`code\`, which is stable. The page at \`type\` explains the problem and what to do; each call below lists its problems. After a 5xx with \`outcome: "unknown"\`, repeat the call with the same \`Idempotency-Key\` within ${idempotencyKeyHours} hours. \`Retry-After\` is in seconds.

## Step-up
Calls that move money or change rights need more than a sign-in: without a step-up token they return 401 \`step_up_required\`. Get one with your PIN from \`POST /security/step-up\` and repeat the call with the token in \`X-Step-Up-Token\`. A token is valid for one call.`;

export type Tag = { name: string; description: string; paths: readonly string[] };

/**
 * Groups of calls, in the order in which the documents show them. A call belongs to the group whose `paths` contain the start of
 * the call's path.
 */
export const tags: readonly Tag[] = [
  {
    name: 'Sign-in',
    description:
      'Register, sign in, start a guest session at a table, refresh tokens. An access token is sent as `Authorization: Bearer …`.',
    paths: ['/auth', '/.well-known'],
  },
  {
    name: 'Menu',
    description:
      'The dishes, their options and pictures, whether the restaurant accepts orders, and the changes of both.',
    paths: ['/menu', '/option-groups', '/menu-pictures', '/ordering', '/menu-changes'],
  },
  {
    name: 'Orders',
    description:
      'Place orders and change their status. The status of an order follows its items.\n\n![The states of an order](/docs/order-states.svg)',
    paths: ['/orders'],
  },
  {
    name: 'Bills',
    description: 'Bills of tables, discounts, and payments of the rest, of equal shares, of an amount, or of lines.',
    paths: ['/bills', '/exceptions'],
  },
  {
    name: 'Cash and days',
    description: 'Cash drawers and their counts, closing the day, and reports of closed days.',
    paths: ['/cash-drawers', '/day', '/days', '/reports'],
  },
  { name: 'Tables', description: 'Tables, their QR codes and their seatings.', paths: ['/tables'] },
  { name: 'Calls', description: 'Guests call a waiter, or ask for the bill.', paths: ['/calls'] },
  {
    name: 'Restaurant',
    description:
      'Settings of managers: the name, the logo, the service charge, tips, limits, Wi-Fi, and how the stations of the kitchen work.',
    paths: ['/restaurant', '/restaurant-changes', '/stations', '/screens'],
  },
  {
    name: 'Accounts',
    description: 'Accounts, their entries and transfers. Money moves only with a step-up token.',
    paths: ['/accounts'],
  },
  {
    name: 'Pix',
    description: 'Pix codes of payments, and the Pix that the bank has received.',
    paths: ['/pix', '/pix-hints'],
  },
  {
    name: 'PIN and step-up',
    description:
      'The PIN, step-up tokens and security events. A step-up token proves that its owner entered the PIN for this one call.\n\n![Step-up: the sequence of calls](/docs/step-up.svg)',
    paths: ['/security'],
  },
  {
    name: 'Users',
    description: 'Users and their roles, the record of their changes, and stops.',
    paths: ['/users', '/setup', '/audit', '/invitations', '/tablets', '/stops'],
  },
  {
    name: 'API documents',
    description: 'The documents of this API.',
    paths: ['/openapi.json', '/asyncapi.json', '/docs', '/problems'],
  },
];
