import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages of Today, of closed days and of the list of past days. */
export const todayMessages = messagesOf({ en, 'pt-BR': ptBr });
