import { messagesOf } from './language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages of the components. */
export const uiMessages = messagesOf({ en, 'pt-BR': ptBr });
