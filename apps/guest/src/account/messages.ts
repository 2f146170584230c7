import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the account pages. They are in the same chunk, which is loaded with the first account page. */
export const accountMessages = messagesOf({ en, 'pt-BR': ptBr });
