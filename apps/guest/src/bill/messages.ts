import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The words of the bill and of paying, in the current language. */
export const payMessages = messagesOf({ en, 'pt-BR': ptBr });
