import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the waiter's screen, in the current language. */
export const waiterMessages = messagesOf({ en, 'pt-BR': ptBr });

/** `Table 12, seated`: where one table of all is chosen. */
export const tableChoiceLabel = (table: string, isTaken: boolean): string =>
  [waiterMessages().table(table), isTaken && waiterMessages().taken].filter(Boolean).join(', ');

/** `Table 12`, or who ordered without a table. */
export const tableTitle = ({ table, guest }: { table: string | null; guest: string }): string =>
  table === null ? waiterMessages().noTable(guest) : waiterMessages().table(table);
