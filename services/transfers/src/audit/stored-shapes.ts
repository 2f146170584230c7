import { isTimestamp } from '@comanda/shared/mongo/cluster-time';
import { field, nullable, optional, type Shape } from './shape.ts';

const integer = field('an integer', (value) => Number.isSafeInteger(value));
const money = field('a 64-bit integer', (value) => typeof value === 'bigint');
const text = field('a string', (value) => typeof value === 'string');
const date = field('a date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));
const timestamp = field('a timestamp', isTimestamp);
const rowId = field('an integer or a string', (value) => Number.isSafeInteger(value) || typeof value === 'string');
/** A field with any content: the events that wait to be published. The service changes it, and empties it after publishing. */
const anything = optional(field('anything', () => true));

export const accountShape: Shape = {
  _id: integer,
  name: nullable(text),
  owner_id: nullable(integer),
  owner_name: nullable(text),
  currency: text,
  balance: money,
  seq: integer,
  hash: text,
  created_at: date,
  purpose: optional(text),
  idempotency_key: optional(text),
  request_fingerprint: optional(text),
  statement: text,
  written: timestamp,
};

export const entryShape: Shape = {
  account: integer,
  seq: integer,
  amount: money,
  balance: money,
  prev: text,
  hash: text,
};
const request: Shape = {
  _id: integer,
  user_id: integer,
  jti: text,
  pin_version: integer,
  idempotency_key: optional(text),
  request_fingerprint: optional(text),
  created_at: date,
  status: text,
};
/** The shapes of journal rows, by status. */
export const rowShapes: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  [
    'posted',
    {
      ...request,
      kind: text,
      payment_id: optional(integer),
      from_account: integer,
      to_account: integer,
      amount: money,
      currency: text,
      description: nullable(text),
      salt: text,
      consent: optional(text),
      entries: { list: entryShape, length: 2 },
      receipt: text,
      outbox: anything,
      outbox_claim: anything,
    },
  ],
  ['refused', { ...request, code: text, payment_status: optional(text), statement: text, written: timestamp }],
  ['expired', { _id: text, status: text, jti: text, created_at: date, statement: text, written: timestamp }],
]);

export const headShape: Shape = { account: integer, seq: integer, hash: text, written: timestamp };
export const decisionShape: Shape = { id: rowId, hash: text, written: timestamp };
export const checkpointShape: Shape = {
  _id: integer,
  heads: { list: headShape },
  decisions: { list: decisionShape },
  jws: text,
};
