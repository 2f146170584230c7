import type { AnswerHeader, AnyEndpoint } from '@comanda/contracts/endpoint';
import { problemsOf } from '@comanda/contracts/endpoint';

type HeaderText = { description: string; schema: Record<string, unknown>; example: unknown; required?: true };

/**
 * Headers that a request may have, as OpenAPI parameters. Their examples are the schema's: a page to try calls on fills
 * in a parameter's own, and none of these may be sent twice.
 */
export const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the call repeatable: the same key with the same call answers what the first call answered, and has no ' +
      'second effect, for 24 hours at least. 1 to 128 visible characters, chosen by the client, per user.',
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
      'Proof of the PIN for this one call, from `POST /security/step-up`. Without it the answer is 401 ' +
      '`step_up_required`; a replay with the same `Idempotency-Key` needs none.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 4096,
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6InN0ZXAtdXArand0In0.eyJzdWIiOiI1In0.c2lnbmF0dXJl'],
    },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that was read; 412 `version_mismatch` if it was changed since [RFC 9110].',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` at hand; 304 if it is still the newest [RFC 9110].',
    schema: { type: 'string', examples: ['"3"'] },
  },
} as const;
export type RequestHeader = keyof typeof requestHeaders;

/** The headers that `contract` takes besides those that every request may have. */
export function requestHeadersOf(contract: AnyEndpoint): RequestHeader[] {
  return [
    ...(contract.idempotencyKey ? (['IdempotencyKey'] as const) : []),
    ...(contract.stepUp ? (['StepUpToken'] as const) : []),
    ...(problemsOf(contract).includes('version_mismatch') ? (['IfMatch'] as const) : []),
    ...(contract.answers[304] ? (['IfNoneMatch'] as const) : []),
  ];
}

const text = { type: 'string' };

export type EveryHeader = AnswerHeader | 'X-Request-Id' | 'RateLimit' | 'RateLimit-Policy' | 'WWW-Authenticate';

/** Headers of answers, by name. */
export const answerHeaders: Readonly<Record<EveryHeader, HeaderText>> = {
  'X-Request-Id': {
    description: 'Names this request in the logs: quote it when you report a failure.',
    schema: text,
    example: '0b8f6f0e-6d0c-4f6e-9a0b-3a1f5f1d2c11',
    required: true,
  },
  RateLimit: {
    description: 'What is left of a limit, and the seconds until it is full again [IETF draft].',
    schema: text,
    example: '"general"; r=598; t=57',
  },
  'RateLimit-Policy': {
    description: 'The limits that were applied: requests `q` in a window of `w` seconds [IETF draft].',
    schema: text,
    example: '"general"; q=600; w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate [RFC 6750, RFC 9470].',
    schema: text,
    example: 'Bearer',
    required: true,
  },
  Location: { description: 'Where the new resource is.', schema: text, example: '/orders/1042', required: true },
  ETag: { description: 'The version of what was answered, for `If-Match`.', schema: text, example: '"3"' },
  Link: {
    description: 'Where the next page is, if there is one [RFC 8288].',
    schema: text,
    example: '</orders?cursor=MjAyNg>; rel="next"',
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the answer to an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Vary: { description: 'The request headers that the answer depends on.', schema: text, example: 'Accept' },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: text, example: 'public, max-age=300' },
};

export const headerRefs = (names: readonly EveryHeader[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
