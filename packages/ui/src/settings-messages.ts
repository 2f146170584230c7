import { messagesOf } from './language.ts';
import { en } from './messages/settings.en.ts';
import { ptBr } from './messages/settings.pt-br.ts';

/** The texts of the buttons for the language and the theme. */
export const settingsMessages = messagesOf({ en, 'pt-BR': ptBr });
