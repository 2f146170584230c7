import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for bills and payments on the waiters' screen, in the current language. */
export const billWords = messagesOf({ en, 'pt-BR': ptBr });
