import { CallFailure } from '@comanda/client/core';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import { PinBlocked } from './consent/consent.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the managers' pages, in the current language. */
export const managerMessages = messagesOf({ en, 'pt-BR': ptBr });

/** Returns the message for a failed call, including failures of the PIN. */
export function managerFailureWords(error: unknown): FailureWords {
  const words = managerMessages().consent;
  const blocked = (until: string | null): string =>
    until === null ? words.blockedForGood : words.blocked(formatTime(until));
  if (error instanceof PinBlocked) return { happened: blocked(error.until), toDo: words.blockedToDo };
  if (!(error instanceof CallFailure)) return failureWords(error);
  const requestId = error.problem?.request_id;
  const wordsOf = (happened: string, toDo: string): FailureWords => ({
    happened,
    toDo,
    ...(requestId !== undefined && { requestId }),
  });
  if (error.is('transaction_password_blocked')) return wordsOf(blocked(error.problem.blocked_until), words.blockedToDo);
  if (error.is('transaction_password_absent')) return wordsOf(words.absent, words.absentToDo);
  if (error.is('transaction_password_weak')) return wordsOf(words.weak, words.weakToDo);
  if (error.is('reset_too_soon')) return wordsOf(words.tooSoon, words.tooSoonToDo);
  return failureWords(error);
}
