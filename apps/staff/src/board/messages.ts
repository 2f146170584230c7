import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for the drawers, a card's back and failed bumps, which are loaded after the board. */
export const drawerMessages = messagesOf({ en, 'pt-BR': ptBr });
