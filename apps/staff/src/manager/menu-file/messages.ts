import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages of the page on which managers import and download the menu. */
export const menuFileMessages = messagesOf({ en, 'pt-BR': ptBr });
