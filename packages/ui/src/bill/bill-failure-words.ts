import { CallFailure } from '@comanda/client/core';
import { failureWords, type FailureWords } from '../failure-words.ts';
import { billMessages } from './messages.ts';

/** Returns the message to show when a call about a bill fails. */
export function billFailureWords(error: unknown): FailureWords {
  const words: Readonly<Record<string, readonly string[]>> = billMessages().failures;
  const own = error instanceof CallFailure ? (notPayableWords(error) ?? words[error.code]) : undefined;
  if (own === undefined) return failureWords(error);
  const [happened = '', toDo = ''] = own;
  return { ...failureWords(error), happened, toDo };
}

/** Returns the words for a payment that can't be changed any more because of its status; undefined for any other failure. */
function notPayableWords(failure: CallFailure): readonly string[] | undefined {
  if (!failure.is('payment_not_payable')) return undefined;
  const { refunded, paid, over } = billMessages().notPayable;
  const { payment_status: status } = failure.problem;
  if (status === 'refunding' || status === 'refunded') return refunded;
  return status === 'paid' ? paid : over;
}
