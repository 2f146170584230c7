import { messagesOf } from './language.ts';
import { en } from './messages/pin-pad.en.ts';
import { ptBr } from './messages/pin-pad.pt-br.ts';

/** The PIN pad's texts. Screens that contain a PIN pad use them too, as in `pinPadMessages().wrong(2)`. */
export const pinPadMessages = messagesOf({ en, 'pt-BR': ptBr });
