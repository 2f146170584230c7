import { messagesOf } from '../language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The texts of the bill, for guests and staff. */
export const billMessages = messagesOf({ en, 'pt-BR': ptBr });
