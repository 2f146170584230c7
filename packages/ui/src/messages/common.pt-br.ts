import type { common as en } from './common.en.ts';

export const common: typeof en = {
  tryAgain: 'Tentar de novo',
  tryNow: 'Tentar agora',
  cancel: 'Cancelar',
  close: 'Fechar',
  save: 'Salvar',
  loading: 'Carregando…',
  oneMoment: 'Um momento…',
  copied: 'Copiado',
  keep: 'Manter',
  remove: 'Remover',
  amount: 'Valor',
  name: 'Nome',
  password: 'Senha',
  email: 'E-mail',
  /** An order's or a dish's status. */
  statuses: {
    received: 'na fila',
    preparing: 'em preparo',
    ready: 'pronto',
    delivered: 'servido',
    cancelled: 'cancelado',
  },
};
