import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the order pages. Like these pages, they are loaded after the menu. */
export const orderMessages = messagesOf({ en, 'pt-BR': ptBr });
