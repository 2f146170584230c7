import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The reasons for which staff cancel, refund and remake, in the current language. */
export const reasonMessages = messagesOf({ en, 'pt-BR': ptBr });
