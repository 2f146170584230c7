import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the waiter's screen, in the current language. */
export const waiterMessages = messagesOf({ en, 'pt-BR': ptBr });
