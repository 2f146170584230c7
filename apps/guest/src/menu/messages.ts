import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages of the menu's parts that are loaded after the dishes. */
export const lateMenuMessages = messagesOf({ en, 'pt-BR': ptBr });
