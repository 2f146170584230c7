import { CallFailure } from '@comanda/client/core';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { accountMessages } from './messages.ts';
import type { en } from './messages/en.ts';

/** Returns the message for a failed call on the account pages: what happened, what was not done, and what to do. */
export function accountFailureWords(error: unknown): FailureWords {
  if (!(error instanceof CallFailure)) throw error;
  const words = accountMessages().failures;
  if (!(error.code in words)) return failureWords(error);
  const [happened = '', toDo = ''] = words[error.code as keyof typeof en.failures];
  const requestId = error.problem?.request_id;
  return { happened, toDo, ...(requestId !== undefined && { requestId }) };
}
