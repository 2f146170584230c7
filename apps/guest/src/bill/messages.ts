import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/en.ts';
import { ptBr } from './messages/pt-br.ts';

/** The messages about the bill and paying, in the current language. */
export const payMessages = messagesOf({ en, 'pt-BR': ptBr });
