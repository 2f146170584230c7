import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/pix.en.ts';
import { ptBr } from './messages/pix.pt-br.ts';

/** The messages for payments by Pix on the waiters' screen, in the current language. */
export const pixWords = messagesOf({ en, 'pt-BR': ptBr });
