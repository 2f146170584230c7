import { messagesOf } from './language.ts';
import { en } from './messages/failures.en.ts';
import { ptBr } from './messages/failures.pt-br.ts';

/** The messages for failed calls. They have their own file, because the kitchen board's first load does not need them. */
export const failureMessages = messagesOf({ en, 'pt-BR': ptBr });
