import type { en } from './stops.en.ts';

export const ptBr: typeof en = {
  transfers: {
    stopped: 'As transferências estão suspensas',
    instead: 'Nenhum dinheiro é movido entre carteiras agora. Pague em dinheiro ou cartão.',
  },
  sign_ups: {
    stopped: 'Sem novos cadastros por enquanto',
    instead: 'Entre se você já se cadastrou. Para pedir, leia o código da sua mesa.',
  },
};
