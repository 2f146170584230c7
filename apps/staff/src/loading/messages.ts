import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for lists that are loading. */
export const loadingMessages = messagesOf({ en, 'pt-BR': ptBr });
