import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerFailureWords } from '../messages.ts';
import { pixMessages } from './messages.ts';

export type Receipt = Answer<'getPixReceipt'>;
export type PixProps = { client: Client; session: ManagerSession };

/** Pix is always in this currency. */
export const pixCurrency = 'BRL';

/** Returns the message for a failed call about a Pix. */
export function pixFailureWords(failure: unknown): FailureWords {
  const found = managerFailureWords(failure);
  const isChanged = failure instanceof CallFailure && failure.is('pix_receipt_state');
  return isChanged ? { ...found, happened: pixMessages().changed, toDo: pixMessages().changedToDo } : found;
}
