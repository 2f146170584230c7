import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  call: 'Call',
  title: 'What do you need?',
  waiter: 'Call a waiter',
  bill: 'Ask for the bill',
  other: 'Something else',
  otherHint: 'What do you need?',
  send: 'Send',
  howToPay: 'How do you want to pay?',
  methods: { card: 'Card', cash: 'Cash', account: 'Here on the phone' },
  called: (time: string) => `Called ${time}`,
  coming: 'Somebody is coming',
  takeBack: (what: string) => `Take back: ${what}`,
  failed: 'Not called. Wave, please.',
};
const ptBr: typeof en = {
  call: 'Chamar',
  title: 'Do que você precisa?',
  waiter: 'Chamar um garçom',
  bill: 'Pedir a conta',
  other: 'Outra coisa',
  otherHint: 'Do que você precisa?',
  send: 'Enviar',
  howToPay: 'Como quer pagar?',
  methods: { card: 'Cartão', cash: 'Dinheiro', account: 'Aqui no celular' },
  called: (time) => `Chamado às ${time}`,
  coming: 'Alguém está vindo',
  takeBack: (what) => `Cancelar: ${what}`,
  failed: 'Não chamou. Acene, por favor.',
};

export const callMessages = messagesOf({ en, 'pt-BR': ptBr });
