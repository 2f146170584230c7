import { messagesOf } from '@comanda/ui/language.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the waiter's screen, in the current language. */
export const waiterMessages = messagesOf({ en, 'pt-BR': ptBr });

/** Returns a label such as `Table 12, seated`, for a list from which a waiter selects a table. */
export const tableChoiceLabel = (table: string, isTaken: boolean): string =>
  [uiMessages().tableOf(table), isTaken && waiterMessages().taken].filter(Boolean).join(', ');

/** Returns `Table 12`, or the guest's name for an order without a table. */
export const tableTitle = ({ table, guest }: { table: string | null; guest: string }): string =>
  table === null ? waiterMessages().noTable(guest) : uiMessages().tableOf(table);
