import type { en } from './en.ts';

export const ptBr: typeof en = {
  why: 'Por quê?',
  usual: {
    cancellation: ['Cliente mudou de ideia', 'Pedido errado', 'Acabou', 'Demorou demais'],
    refund: ['Cobrado duas vezes', 'Valor errado', 'Pagou de outra forma', 'Cliente reclamou'],
    remake: ['Queimou', 'Prato errado', 'Caiu', 'Devolvido'],
  },
  other: 'Outro motivo',
};
