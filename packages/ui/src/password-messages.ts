import { messagesOf } from './language.ts';
import { en } from './messages/passwords.en.ts';
import { ptBr } from './messages/passwords.pt-br.ts';

/** The texts of the forms to sign in and to change a password, which no first page shows. */
export const passwordMessages = messagesOf({ en, 'pt-BR': ptBr });
