import { messagesOf } from './language.ts';
import { en } from './messages/failures.en.ts';
import { ptBr } from './messages/failures.pt-br.ts';

/** The messages for failed calls. They have their own file, because no first load needs them. */
export const failureMessages = messagesOf({ en, 'pt-BR': ptBr });
