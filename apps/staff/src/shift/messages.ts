import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the page that starts a shift, which the board doesn't need, in the current language. */
export const shiftMessages = messagesOf({ en, 'pt-BR': ptBr });
