import { CallFailure } from '@comanda/client/core';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { countMessages } from './messages.ts';

/** Returns the message for a failed call about a cash drawer. */
export function drawerFailureWords(failure: unknown): FailureWords {
  const words = failureWords(failure);
  const isRetired = failure instanceof CallFailure && failure.is('unprocessable_content');
  return isRetired ? { ...words, ...countMessages().retired } : words;
}
