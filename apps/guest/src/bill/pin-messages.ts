import { messagesOf } from '@comanda/ui/language.ts';
import { en } from './messages/pin.en.ts';
import { ptBr } from './messages/pin.pt-br.ts';

/** The messages about paying from an account, in the current language. */
export const pinMessages = messagesOf({ en, 'pt-BR': ptBr });
