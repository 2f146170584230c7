import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the drawers, of a card's back and of what was not made, which are loaded after the board. */
export const drawerMessages = messagesOf({ en, 'pt-BR': ptBr });
