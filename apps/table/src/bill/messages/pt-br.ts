import type { en } from './en.ts';

export const ptBr: typeof en = {
  title: 'Conta',
  tableBill: (table) => (table === null ? 'Sua conta' : `Conta da mesa ${table}`),
  none: 'Nada foi pedido ainda',
  noneHint: 'O que esta mesa pedir aparece aqui, com os preços.',
  pay: (left) => `Pagar, faltam ${left}`,
  orders: 'Pedidos',
  allPaid: 'Está tudo pago. Obrigado.',
  allPaidHint: 'Um garçom fecha a conta. O que você pedir agora entra nela.',
  closed: (number) => `Obrigado. Conta ${number}.`,
  closedHint: 'Está paga e fechada. Um novo pedido começa uma nova conta.',
  serviceHint: 'A taxa de serviço é opcional. Ela vale para a mesa inteira.',
  payTitle: 'Pagar',
  toBill: 'Conta',
  ways: {
    rest: (left) => `Pagar tudo o que falta, ${left}`,
    shares: 'Dividir igualmente',
    lines: 'Só o meu',
  },
  mineHint: 'O que você pediu está marcado. Toque em outros para incluir.',
  yourPart: 'Sua parte',
  withTip: (amount, tip) => `${amount} e ${tip} de gorjeta`,
  wasChanged: (before, now) => `Alguém pediu ou pagou: sua parte era ${before}, agora é ${now}.`,
  byWaiter: 'Cartão ou dinheiro: chamar um garçom',
  tellWaiter: 'Diga este valor ao garçom',
  tellWaiterHint:
    'Acene, por favor. Nada foi pago ainda: o garçom recebe em dinheiro ou cartão, e então aparece marcado aqui.',
  back: 'Mudar',
  nothingLeft: 'Não falta pagar nada',
};
