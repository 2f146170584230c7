import { messagesOf } from './language.ts';
import { en } from './messages/failures.en.ts';
import { ptBr } from './messages/failures.pt-br.ts';

/**
 * The messages for failed calls. They are separate from the components' messages, because the board does not need them for its
 * first load.
 */
export const failureMessages = messagesOf({ en, 'pt-BR': ptBr });
