import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for closing a day, and of its report. */
export const closingMessages = messagesOf({ en, 'pt-BR': ptBr });
