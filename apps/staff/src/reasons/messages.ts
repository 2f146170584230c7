import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  why: 'Why?',
  usual: {
    cancellation: ['Guest changed their mind', 'Wrong order', 'Sold out', 'Took too long'],
    refund: ['Charged twice', 'Wrong amount', 'Paid another way', 'Guest complained'],
  },
  other: 'Another reason',
};
const ptBr: typeof en = {
  why: 'Por quê?',
  usual: {
    cancellation: ['Cliente mudou de ideia', 'Pedido errado', 'Acabou', 'Demorou demais'],
    refund: ['Cobrado duas vezes', 'Valor errado', 'Pagou de outra forma', 'Cliente reclamou'],
  },
  other: 'Outro motivo',
};

/** The reasons for which staff cancel and refund, in the current language. */
export const reasonMessages = messagesOf({ en, 'pt-BR': ptBr });
