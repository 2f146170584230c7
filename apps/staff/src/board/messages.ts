import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the drawers, the back of a ticket and failed bumps. Like these, they are loaded after the board. */
export const drawerMessages = messagesOf({ en, 'pt-BR': ptBr });
