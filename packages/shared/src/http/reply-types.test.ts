// `npm run types` checks these claims, because it compiles this file. Without the rule that a test describes, the line with
// `satisfies` would be an error.
import { expect, test } from '@jest/globals';
import type { ResponseOf } from '@comanda/contracts/endpoint';
import type { getOrder } from '@comanda/contracts/orders';
import type { MembersOf } from '@comanda/contracts/problem';
import type { transferMoney } from '@comanda/contracts/transfers';
import type { Reply, ReplyTo } from './reply.ts';

type IsAssignable<From, To> = [From] extends [To] ? true : false;
type PlainReply<E> = Omit<Reply<ResponseOf<E>>, 'replayed'>;

test("a reply without proof of authorization doesn't compile for an endpoint with a step-up key", () => {
  expect(false satisfies IsAssignable<PlainReply<typeof transferMoney>, ReplyTo<typeof transferMoney>>).toBe(false);
});

test('a plain reply compiles for an endpoint without a step-up key', () => {
  expect(true satisfies IsAssignable<PlainReply<typeof getOrder>, ReplyTo<typeof getOrder>>).toBe(true);
});

test("a problem doesn't compile without its required fields", () => {
  expect(false satisfies IsAssignable<{ detail: string }, MembersOf<'illegal_transition'>>).toBe(false);
});
