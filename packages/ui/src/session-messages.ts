import { messagesOf } from './language.ts';
import { en } from './messages/sessions.en.ts';
import { ptBr } from './messages/sessions.pt-br.ts';

/** The texts on the list of sessions. */
export const sessionMessages = messagesOf({ en, 'pt-BR': ptBr });
