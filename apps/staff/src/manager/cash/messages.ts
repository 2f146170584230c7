import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for cash drawers: counts and movements. */
export const cashMessages = messagesOf({ en, 'pt-BR': ptBr });
