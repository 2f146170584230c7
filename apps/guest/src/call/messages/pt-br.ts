import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  waiter: 'Chamar um garçom',
  bill: 'Pedir a conta',
  other: 'Outra coisa',
  otherHint: 'Do que você precisa?',
  send: 'Enviar',
  howToPay: 'Como quer pagar?',
  methods: { card: 'Cartão', cash: 'Dinheiro', account: 'Neste celular' },
  called: (time) => `Chamado às ${time}`,
  coming: 'Alguém está a caminho',
  yours: 'Seus chamados',
  sent: {
    waiter: (time) => `Garçom chamado às ${time}`,
    bill: (time) => `Conta pedida às ${time}`,
    other: (time) => `Pedido de ajuda enviado às ${time}`,
  },
  toPay: (time, amount) => `Garçom chamado às ${time} para receber ${amount}`,
  cancel: forms.cancel,
  cancelThis: 'Cancelar este chamado',
  takeBack: (what) => `Cancelar: ${what}`,
  calling: forms.oneMoment,
  failures: {
    call: 'A chamada não foi enviada. Acene para um garçom, por favor.',
    takeBack: 'Não foi cancelado. Tente de novo.',
    unsure: 'Não houve resposta. Se ninguém vier, acene, por favor.',
  },
};
