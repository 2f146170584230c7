import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the page with the options. */
export const optionMessages = messagesOf({ en, 'pt-BR': ptBr });
