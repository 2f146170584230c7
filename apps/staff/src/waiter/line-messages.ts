import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/lines.en.ts';
import { ptBr } from './messages/lines.pt-br.ts';

/** The messages for what waiters do with single dishes of an order, and for the number of guests. */
export const lineMessages = messagesOf({ en, 'pt-BR': ptBr });
