import type { en } from './not-live.en.ts';

export const ptBr: typeof en = {
  notLive: (time) => `Sem atualização desde ${time}. Pode estar desatualizado. Reconectando…`,
  unread: 'Alguns dos seus pedidos podem não aparecer aqui. Continuamos tentando. A cozinha tem o que você enviou.',
  unreadBill: 'A conta não carregou por completo. Continuamos tentando. Um garçom também pode mostrá-la.',
};
