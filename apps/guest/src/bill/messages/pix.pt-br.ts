import { common } from '@comanda/ui/messages/common.pt-br.ts';
import type { en } from './pix.en.ts';

export const ptBr: typeof en = {
  title: 'Pagar com Pix',
  reserving: 'Reservando a sua parte…',
  loading: 'Gerando o seu código Pix…',
  pays: (name) => `${name} paga`,
  to: 'para',

  copy: 'Copiar código Pix',
  copied: 'Copiado. Agora cole no app do seu banco.',
  notCopied: 'Este navegador não deixa copiar. Toque e segure o código abaixo para copiar.',
  steps: 'Como pagar',
  stepCopy: 'Copie o código.',
  stepPaste: 'No app do seu banco, escolha “Pix Copia e Cola” e cole.',
  stepBack: 'Volte para cá. Esta página mostra quando estiver pago.',
  stepShow: 'Volte e mostre esta página ao garçom, que confere no app do banco do restaurante.',
  scan: 'Ou escaneie com outro celular',
  qr: (amount) => `QR code Pix de ${amount}`,
  code: 'Código Pix',
  waiting: (time) => `Aguardando o banco · válido até ${time}`,
  show: (time) => `Mostre ao garçom · válido até ${time}`,
  offline: 'Você está sem internet. Este código ainda vale. Mostramos aqui que está pago quando a internet voltar.',
  callWaiter: 'Já paguei. Chamar o garçom',
  waiterCalled: (time) => `Garçom chamado às ${time}`,
  waiterComing: 'Alguém está a caminho',
  callNote: 'Pix',

  cancelTitle: 'Cancelar este código Pix?',
  cancelText: 'Se você já pagou, não cancele. O pagamento aparece aqui em instantes.',
  cancelYes: 'Não paguei. Cancelar',
  cancelNo: 'Já paguei. Esperar',

  lateTitle: 'O código ainda não está pronto',
  lateText:
    'Ainda não há código neste celular. Continuamos tentando, e ele aparece aqui. Ou pague com cartão ou dinheiro.',
  changedText: 'Alguém pediu ou pagou. Você ainda não pagou nada.',
  refusedTitle: 'Não há código Pix',
  unknownTitle: 'Este código Pix não está mais aqui',
  unknownText: 'Ele pode ter sido pago ou cancelado. Veja a conta.',
  tryAgain: common.tryAgain,

  endedTitle: 'Este código expirou',
  cancelledTitle: 'Este código foi cancelado',
  endedText: 'Não pague mais com ele. Gere um código novo ou pague de outro jeito.',
  alreadyPaid: 'Já pagou? Vamos encontrar',
  alreadyPaidText: 'Deixe esta página aberta. Ela mostra o pagamento assim que o banco informar. Não pague duas vezes.',
  alreadyPaidStaff: 'Mostre esta página a um garçom, que confere no app do banco do restaurante. Não pague duas vezes.',
  otherAmount: 'Se você enviou outro valor, avise um garçom: o gerente vê e devolve.',
  newCode: 'Novo código Pix',

  part: 'Parte',
  confirmedBy: 'Confirmado por',
  confirmers: { bank: 'banco', staff: 'restaurante' },
  refunds: { refunding: 'Este Pix está sendo devolvido', refunded: 'Este Pix foi devolvido' },
  refundedText: 'O dinheiro volta para a conta que pagou.',
  refundedAsk: 'Em caso de dúvida, fale com um garçom.',
};
