import { CallFailure } from '@comanda/client';
import { failureWords } from '@comanda/ui/failure-words.ts';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the manager's pages, in the current language. */
export const managerMessages = messagesOf({ en, 'pt-BR': ptBr });

/** The words for a failed call, with those for the PIN. */
export function managerFailureWords(error: unknown): FailureWords {
  if (!(error instanceof CallFailure)) return failureWords(error);
  const words = managerMessages().consent;
  const requestId = error.problem?.request_id;
  const say = (happened: string, toDo: string): FailureWords => ({
    happened,
    toDo,
    ...(requestId !== undefined && requestId !== '' && { requestId }),
  });
  if (error.code === 'transaction_password_blocked') {
    const until = error.problem?.['blocked_until'];
    return say(typeof until === 'string' ? words.blocked(formatTime(until)) : words.blockedForGood, words.blockedToDo);
  }
  if (error.code === 'transaction_password_absent') return say(words.absent, words.absentToDo);
  if (error.code === 'transaction_password_weak') return say(words.weak, words.weakToDo);
  if (error.code === 'reset_too_soon') return say(words.tooSoon, words.tooSoonToDo);
  return failureWords(error);
}
