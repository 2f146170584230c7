import { messagesOf } from './language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The texts of the components in this package. */
export const uiMessages = messagesOf({ en, 'pt-BR': ptBr });
