import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the menu's entries. They are loaded with the entries, after the first screen. */
export const appMenuMessages = messagesOf({ en, 'pt-BR': ptBr });
