import { messagesOf } from './language.ts';
import { en } from './messages/stops.en.ts';
import { ptBr } from './messages/stops.pt-br.ts';

/** Messages about what is stopped, and what to do instead. */
export const stopMessages = messagesOf({ en, 'pt-BR': ptBr });
