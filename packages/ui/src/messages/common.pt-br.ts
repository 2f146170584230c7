import type { common as en } from './common.en.ts';

export const common: typeof en = {
  tryAgain: 'Tentar de novo',
  tryNow: 'Tentar agora',
  close: 'Fechar',
  copied: 'Copiado',
  /** An order's or a dish's status. */
  statuses: {
    received: 'na fila',
    preparing: 'em preparo',
    ready: 'pronto',
    delivered: 'servido',
    cancelled: 'cancelado',
  },
};
