import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages of the page on which managers sort out Pix, in the current language. */
export const pixMessages = messagesOf({ en, 'pt-BR': ptBr });
