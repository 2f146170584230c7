import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the kitchen app, in the current language. */
export const messages = messagesOf({ en, 'pt-BR': ptBr });
