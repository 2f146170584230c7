import { CallFailure } from '@comanda/client/core';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { drawerFailureWords } from '../../cash/failure-words.ts';
import { cashMessages } from './messages.ts';

/** Returns the message for a manager's failed call about cash drawers. */
export function cashFailureWords(failure: unknown): FailureWords {
  const { movements, manage } = cashMessages();
  const words = drawerFailureWords(failure);
  if (!(failure instanceof CallFailure)) return words;
  if (failure.is('movement_not_reversible')) return { ...words, ...movements.cannotReverse };
  if (failure.is('cash_drawer_not_empty')) return { ...words, ...manage.notEmpty };
  return words;
}
