import { CallFailure } from '@comanda/client/core';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { managerFailureWords } from '../messages.ts';
import { cashMessages } from './messages.ts';

/** Returns the message for a failed call about cash drawers. */
export function cashFailureWords(failure: unknown): FailureWords {
  const { movements, manage, retiredNow } = cashMessages();
  const words = managerFailureWords(failure);
  if (!(failure instanceof CallFailure)) return words;
  if (failure.is('movement_not_reversible')) return { ...words, ...movements.cannotReverse };
  if (failure.is('cash_drawer_not_empty')) return { ...words, ...manage.notEmpty };
  if (failure.is('unprocessable_content')) return { ...words, ...retiredNow };
  return words;
}
