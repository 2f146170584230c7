// What these tests hold is checked by `npm run types`: without the rule, the line with `satisfies` does not compile.
import { expect, test } from '@jest/globals';
import type { ResponseOf } from '@comanda/contracts/endpoint';
import type { getOrder } from '@comanda/contracts/orders';
import type { MembersOf } from '@comanda/contracts/problem';
import type { transferMoney } from '@comanda/contracts/transfers';
import type { Reply, ReplyTo } from './api.ts';

type IsAssignable<From, To> = [From] extends [To] ? true : false;
type PlainReply<E> = Omit<Reply<ResponseOf<E>>, 'replayed'>;

test('when an endpoint has a step-up key, then a reply without proof of consent does not compile', () => {
  expect(false satisfies IsAssignable<PlainReply<typeof transferMoney>, ReplyTo<typeof transferMoney>>).toBe(false);
});

test('when an endpoint has no step-up key, then a plain reply compiles', () => {
  expect(true satisfies IsAssignable<PlainReply<typeof getOrder>, ReplyTo<typeof getOrder>>).toBe(true);
});

test('when a problem has required members, then it does not compile without them', () => {
  expect(false satisfies IsAssignable<{ detail: string }, MembersOf<'illegal_transition'>>).toBe(false);
});
