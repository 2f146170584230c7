import { messagesOf } from '../language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of a bill, for guests and for staff. */
export const billMessages = messagesOf({ en, 'pt-BR': ptBr });
