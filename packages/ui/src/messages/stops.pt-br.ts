import type { en } from './stops.en.ts';

export const ptBr: typeof en = {
  transfers: {
    stopped: 'As transferências estão suspensas',
    instead: 'Nenhum dinheiro é movido entre contas agora. Pague em dinheiro ou cartão.',
  },
  sign_ups: {
    stopped: 'Sem novas contas por enquanto',
    instead: 'Entre se você já tem uma conta. Para pedir, leia o código da sua mesa.',
  },
};
