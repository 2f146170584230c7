import { type ResponseHeader, type AnyEndpoint, problemsOf } from '@comanda/contracts/endpoint';
import { idempotencyKeyHours } from '@comanda/contracts/rules';

type HeaderText = { description: string; schema: Record<string, unknown>; example: unknown; required?: true };

/**
 * Request headers as OpenAPI parameters. The examples are in the schemas: documentation pages fill in an example of the parameter
 * itself, so readers would send the same idempotency key or token twice.
 */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the call safe to repeat: the same call with the same key returns the first response and has no second ' +
      `effect, for at least ${idempotencyKeyHours} hours. The client chooses the key: 1 to 128 visible ASCII characters, unique for its user. ` +
      'Use a new key for each new call. A key is only rejected after a different call of the same kind: orders, payments and ' +
      'discounts of bills, opened accounts, transfers of money, and approvals of PIN resets each have their own keys.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[!-~]+$',
      examples: ['6f1f7a3c-0f5e-4a8e-8a4b-2f6f0f3d9c11'],
    },
  },
  StepUpToken: {
    name: 'X-Step-Up-Token',
    in: 'header',
    description:
      'A step-up token for this call, from `POST /security/step-up`. Without it the response is 401 ' +
      '`step_up_required`. Repeating a call with the same `Idempotency-Key` needs no token.',
    schema: {
      type: 'string',
      maxLength: 4096,
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6InN0ZXAtdXArand0In0.eyJzdWIiOiI1In0.c2lnbmF0dXJl'],
    },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that you have read. The response is 412 `version_mismatch` if it has changed since [RFC 9110]. ' +
      'You can also build the tag of an order from a list or an event: `"<id>-<version>"`.',
    schema: { type: 'string', examples: ['"1042-3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the version that you have. The response is 304 if it is still current [RFC 9110].',
    schema: { type: 'string', examples: ['"1042-3"'] },
  },
} as const;
export type RequestHeader = keyof typeof requestHeaders;

/** Returns the headers that `contract` accepts in addition to the headers for every request. */
export function requestHeadersOf(contract: AnyEndpoint): RequestHeader[] {
  // Some calls take the expected version in the body instead of `If-Match`.
  const hasVersion = 'version' in ((contract.body?.describe() as { keys?: object } | undefined)?.keys ?? {});
  return [
    ...(contract.idempotencyKey ? (['IdempotencyKey'] as const) : []),
    ...(contract.stepUp ? (['StepUpToken'] as const) : []),
    ...(problemsOf(contract).includes('version_mismatch') && !hasVersion ? (['IfMatch'] as const) : []),
    ...(contract.responses[304] ? (['IfNoneMatch'] as const) : []),
  ];
}

const text = { type: 'string' };

export type EveryHeader = ResponseHeader | 'X-Request-Id' | 'RateLimit' | 'RateLimit-Policy' | 'WWW-Authenticate';

/** The response headers in the documents, keyed by name. */
export const responseHeaders: Readonly<Record<EveryHeader, HeaderText>> = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs. Include it when you report a failure.',
    schema: text,
    example: '0b8f6f0e-6d0c-4f6e-9a0b-3a1f5f1d2c11',
    required: true,
  },
  RateLimit: {
    description: 'The remaining requests of a limit (`r`), and the seconds until it resets (`t`) [IETF draft].',
    schema: text,
    example: '"general"; r=598; t=57',
  },
  'RateLimit-Policy': {
    description: 'The limits that apply: `q` requests in a window of `w` seconds [IETF draft].',
    schema: text,
    example: '"general"; q=600; w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
    example: 2,
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate [RFC 6750, RFC 9470]: `error="invalid_token"` needs another access token, `acr_values="urn:comanda:step-up"` a step-up token, `max_age` a recent sign-in, `acr_values="urn:comanda:password"` one with the password.',
    schema: text,
    example: 'Bearer',
    required: true,
  },
  Location: { description: 'The path of the new resource.', schema: text, example: '/orders/1042', required: true },
  ETag: { description: 'The version of the resource, to be sent in `If-Match`.', schema: text, example: '"1042-3"' },
  Link: {
    description: 'The path of the next page, if there is one [RFC 8288].',
    schema: text,
    example: '</orders?cursor=MjAyNg>; rel="next"',
  },
  'Idempotent-Replayed': {
    description: '`true` if this repeats the response to an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Set-Cookie': {
    description:
      'A browser stores it, so that wrong passwords from other devices do not lock the browser out of this account. Clients without cookies work as well.',
    schema: text,
    example: 'comanda-device-3q2-7wAAbCdEfGhI=…; Path=/auth/login; HttpOnly; SameSite=Strict',
  },
  Vary: { description: 'The request headers that the response depends on.', schema: text, example: 'Accept' },
  'Database-Epoch': {
    description:
      'Changes when the database is restored from a backup: with another value, discard your cached orders, because versions may have gone back.',
    schema: text,
    example: '9b2f6c1e-3d54-4a0b-8f17-5e2c7d90a1b3',
    required: true,
  },
  'Content-Disposition': {
    description: 'The browser should show the file in its page [RFC 6266].',
    schema: text,
    example: 'inline',
  },
  'Cache-Control': {
    description: 'How long the response may be cached.',
    schema: text,
    example: 'public, max-age=300',
  },
};

export const headerRefs = (names: readonly EveryHeader[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
