import { messagesOf } from './language.ts';
import { en } from './messages/stops.en.ts';
import { ptBr } from './messages/stops.pt-br.ts';

/** Messages about stopped transfers and sign-ups, and what users can do instead. */
export const stopMessages = messagesOf({ en, 'pt-BR': ptBr });
