import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/seating.en.ts';
import { ptBr } from './messages/seating.pt-br.ts';

/** The messages for guests who move, tables that are joined, and tables that are cleaned. */
export const seatingMessages = messagesOf({ en, 'pt-BR': ptBr });
