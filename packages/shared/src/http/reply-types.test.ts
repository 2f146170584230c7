// `npm run types` checks what these tests claim: without the rule, the line with `satisfies` does not compile.
import { expect, test } from '@jest/globals';
import type { ResponseOf } from '@comanda/contracts/endpoint';
import type { getOrder } from '@comanda/contracts/orders';
import type { MembersOf } from '@comanda/contracts/problem';
import type { transferMoney } from '@comanda/contracts/transfers';
import type { Reply, ReplyTo } from './reply.ts';

type IsAssignable<From, To> = [From] extends [To] ? true : false;
type PlainReply<E> = Omit<Reply<ResponseOf<E>>, 'replayed'>;

test('a reply without proof of authorization does not compile for an endpoint with a step-up key', () => {
  expect(false satisfies IsAssignable<PlainReply<typeof transferMoney>, ReplyTo<typeof transferMoney>>).toBe(false);
});

test('a plain reply compiles for an endpoint without a step-up key', () => {
  expect(true satisfies IsAssignable<PlainReply<typeof getOrder>, ReplyTo<typeof getOrder>>).toBe(true);
});

test('a problem does not compile without its required fields', () => {
  expect(false satisfies IsAssignable<{ detail: string }, MembersOf<'illegal_transition'>>).toBe(false);
});
