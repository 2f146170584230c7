import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for counting a cash drawer, and for the choice of one. */
export const countMessages = messagesOf({ en, 'pt-BR': ptBr });
