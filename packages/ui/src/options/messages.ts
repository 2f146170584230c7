import { messagesOf } from '../language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages for choosing options. */
export const optionMessages = messagesOf({ en, 'pt-BR': ptBr });
