import { CallFailure } from '@comanda/client/core';
import { failureWords, type FailureWords } from '../failure-words.ts';
import { billMessages } from './messages.ts';

/** Returns the message to show when a call about a bill fails. */
export function billFailureWords(error: unknown): FailureWords {
  const words: Readonly<Record<string, readonly string[]>> = billMessages().failures;
  const own = error instanceof CallFailure ? words[error.code] : undefined;
  if (own === undefined) return failureWords(error);
  const [happened = '', toDo = ''] = own;
  return { ...failureWords(error), happened, toDo };
}
