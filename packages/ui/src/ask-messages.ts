import { messagesOf } from './language.ts';
import { forms as en } from './messages/forms.en.ts';
import { forms as ptBr } from './messages/forms.pt-br.ts';

/** The usual answers to questions. */
export const askMessages = messagesOf({ en: { no: en.cancel }, 'pt-BR': { no: ptBr.cancel } });
