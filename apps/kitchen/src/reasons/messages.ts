import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  why: 'Why?',
  usual: ['Guest changed their mind', 'Wrong order', 'Sold out', 'Took too long'],
  other: 'Another reason',
};
const ptBr: typeof en = {
  why: 'Por quê?',
  usual: ['Cliente mudou de ideia', 'Pedido errado', 'Acabou', 'Demorou demais'],
  other: 'Outro motivo',
};

/** Why staff cancel, in the current language. */
export const reasonMessages = messagesOf({ en, 'pt-BR': ptBr });
