/** What a stranger reads first, above the list of calls. Markdown. */
export const introduction = `One house: its menu, its orders, its accounts. Everything is JSON in \`snake_case\`; times are RFC 3339 in UTC; money is a decimal string such as \`"12.50"\`. Unknown keys of a body or query are refused; ignore keys of an answer that you do not know: there may be more some day. \`/v1/…\` is an alias of every path, and \`HEAD\` goes with \`GET\`.

## Place an order
On this page: sign in at the top, open a call, press Execute. In a program:

1. \`GET /menu\`: what there is. It needs no token.
2. \`POST /auth/register\` and \`POST /auth/login\`, or \`POST /auth/guest\` with what the QR code of a table holds. Send the \`access_token\` as \`Authorization: Bearer …\`. It lives some minutes: \`POST /auth/refresh\` exchanges the \`refresh_token\` for a new pair, once each.
3. \`POST /orders\` with \`{"items": [{"name": "Feijoada", "quantity": 2}], "table": "12"}\` and an \`Idempotency-Key\` of your own. No answer? Send the very same again: the order is placed once.
4. \`GET /orders/{id}\`, or the live feed (\`/asyncapi.json\`), says how far it is.

## When something fails
Every failure is \`application/problem+json\` [RFC 9457]. \`code\` is stable; the page that \`type\` leads to says what to do about it, and each call below lists its own. After a 5xx with \`outcome: "unknown"\` repeat the call with the same \`Idempotency-Key\`. \`Retry-After\` is in seconds.

## Consent
Some calls move money or rights: being signed in is not enough for them. They answer 401 \`step_up_required\`; prove the PIN with \`POST /security/step-up\` and repeat the call with the token in \`X-Step-Up-Token\`. A token has one effect, ever.`;

export type Tag = { name: string; description: string; paths: readonly string[] };

/** Subjects of the calls, by how their paths begin, in the order of reading. */
export const tags: readonly Tag[] = [
  { name: 'Menu', description: 'Dishes, and whether the house takes orders.', paths: ['/menu', '/ordering'] },
  {
    name: 'Sign-in',
    description: 'Becoming somebody: register, sign in, be a guest at a table, stay signed in.',
    paths: ['/auth', '/.well-known'],
  },
  { name: 'Orders', description: 'Placing orders, and their way from received to delivered.', paths: ['/orders'] },
  { name: 'Tables', description: 'Tables, their QR codes, and who sits there.', paths: ['/tables'] },
  { name: 'People', description: 'Users and their roles, by managers.', paths: ['/users'] },
  {
    name: 'Consent',
    description: 'The transactional PIN, and tokens that prove it for one call.',
    paths: ['/security'],
  },
  { name: 'Accounts', description: 'Accounts, transfers and statements.', paths: ['/accounts'] },
  {
    name: 'Documents',
    description: 'What you are reading, and the health of the gateway.',
    paths: ['/openapi.json', '/asyncapi.json', '/docs', '/problems', '/livez', '/readyz', '/metrics'],
  },
];
