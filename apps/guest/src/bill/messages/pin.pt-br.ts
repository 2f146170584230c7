import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './pin.en.ts';

export const ptBr: typeof en = {
  title: 'Pagar da sua carteira',
  change: 'Mudar',
  to: 'para',
  fromAccount: (id) => `da carteira ${id}`,
  reading: forms.loading,

  signInText: 'Entre. Sua escolha fica salva, e você continua na sua mesa.',
  seatTitle: 'Seu lugar na mesa',
  seatTaking: 'Você entrou. Guardando seu lugar na mesa…',
  seatFailed: 'Não foi possível guardar seu lugar na mesa.',
  seatScan: 'Escaneie de novo o código da sua mesa. Nada foi cobrado.',
  seatAgain: common.tryAgain,

  noPinTitle: 'Primeiro você precisa de um PIN',
  noPinText: 'Seis dígitos que só você sabe. Sem eles, ninguém paga com o seu dinheiro. Sua escolha fica salva.',
  choosePin: 'Escolher um PIN',
  blockedHint: 'Nada foi cobrado. Você pode pagar com cartão ou dinheiro.',
  noAccountTitle: 'Você não tem uma carteira aqui',
  noAccountText: 'Você pode pagar de outro jeito. Nada foi cobrado.',
  noMoneyTitle: 'Saldo insuficiente na sua carteira',
  noMoneyText: (total) => `Você precisa de ${total}. Nada foi cobrado. Um gerente pode depositar dinheiro na hora.`,
  tryAgain: common.tryAgain,
  accountTitle: 'De qual carteira?',
  accountName: (id, name) => (name === null ? `Carteira ${id}` : `Carteira ${id}, ${name}`),

  changedText: 'Alguém pediu ou pagou. Nada foi cobrado.',
  notReservedTitle: 'Nada foi cobrado',

  reservedUntil: (time) => `Reservado até ${time}`,
  nothingTaken: 'Nada foi cobrado.',
  pinAgain: 'Digite seu PIN de novo.',
  notTaken: 'O servidor não recebeu seu PIN.',
  asking: 'Pagando…',
  claimed: 'Em confirmação',
  claimedHint: 'Seu pagamento está sendo processado. Não pague de novo.',
  late: 'Ainda sem resposta. Não pague de novo; continuamos verificando.',
  lateHint: 'Você será cobrado no máximo uma vez. Enquanto isso, pode ver a conta.',
  askNow: 'Verificar agora',

  part: 'Sua parte',
  account: 'Debitado da sua carteira',
  number: 'Transferência',
  numbered: (id) => `Nº ${id}`,
  save: 'Salvar comprovante',
  noReceipt: 'O comprovante está na sua carteira, no extrato.',

  ended: 'Nada foi cobrado',
  endings: {
    failed: 'O pagamento foi recusado. Sua parte voltou a ficar em aberto.',
    expired: 'Sua reserva expirou. Sua parte voltou a ficar em aberto.',
    cancelled: 'A reserva foi cancelada. Sua parte voltou a ficar em aberto.',
  },
  reasons: {
    insufficient_funds: 'Saldo insuficiente na sua carteira. Sua parte voltou a ficar em aberto.',
    transfers_stopped:
      'O restaurante suspendeu os pagamentos pela carteira. Sua parte voltou a ficar em aberto: pague em dinheiro ou cartão.',
    transaction_password_busy: 'Seu PIN já está sendo verificado. Tente de novo em um instante.',
    transaction_password_absent: 'Seu PIN foi removido. Escolha um novo e tente de novo.',
  },
  beginAgain: 'Começar de novo',
};
