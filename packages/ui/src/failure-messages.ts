import { messagesOf } from './language.ts';
import { en } from './messages/failures.en.ts';
import { ptBr } from './messages/failures.pt-br.ts';

/** The words of failed calls: apart from those of the components, because the board's first load needs none. */
export const failureMessages = messagesOf({ en, 'pt-BR': ptBr });
