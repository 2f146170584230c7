import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/pix.en.ts';
import { ptBr } from './messages/pix.pt-br.ts';

/** The messages about paying by Pix, in the current language. */
export const pixMessages = messagesOf({ en, 'pt-BR': ptBr });
