import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the account pages, which are loaded with them. */
export const accountMessages = messagesOf({ en, 'pt-BR': ptBr });
