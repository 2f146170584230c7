import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the start of a shift that the board does not need, in the current language. */
export const shiftMessages = messagesOf({ en, 'pt-BR': ptBr });
