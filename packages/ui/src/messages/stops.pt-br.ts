import type { en } from './stops.en.ts';

export const ptBr: typeof en = {
  transfers: {
    stopped: 'As transferências estão suspensas',
    instead: 'As carteiras não enviam dinheiro agora. Pague em dinheiro ou cartão.',
  },
  sign_ups: {
    stopped: 'Sem novos cadastros por enquanto',
    instead: 'Entre se você já se cadastrou. Para pedir, escaneie o código da sua mesa.',
  },
};
