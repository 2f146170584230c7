import type * as en from './failures.en.ts';

export const failures: typeof en.failures = {
  account_not_found: ['Não há carteira com este número.', 'Nada foi enviado. Confira o número.'],
  same_account: ['Esta é a carteira de onde sai o dinheiro.', 'Nada foi enviado. Digite outro número.'],
  currency_mismatch: [
    'Essa carteira usa outra moeda.',
    'Nada foi enviado. O dinheiro só passa entre carteiras da mesma moeda.',
  ],
  insufficient_funds: ['Saldo insuficiente na sua carteira.', 'Nada foi enviado. Digite um valor menor.'],
  transaction_password_busy: ['Seu PIN já está sendo verificado.', 'Nada foi enviado. Tente de novo em um instante.'],
  transaction_password_weak: [
    'Este PIN é fácil de adivinhar.',
    'Ele não foi definido. Escolha um que não seja data, sequência nem desenho.',
  ],
  confirmation_mismatch: ['Os dois PINs são diferentes.', 'Nada foi definido. Comece de novo pelo novo PIN.'],
  transaction_password_exists: [
    'Você já tem um PIN.',
    'Nada foi alterado. Troque-o, ou peça à gerência a aprovação de um novo.',
  ],
  transaction_password_absent: ['Você ainda não tem PIN.', 'Nada foi enviado. Escolha um PIN primeiro.'],
  transaction_password_blocked: ['Seu PIN está bloqueado.', 'Nada foi alterado.'],
  reset_not_approved: [
    'A gerência ainda não aprovou, ou a aprovação venceu (15 minutos).',
    'Seu PIN não foi trocado. Fale com a gerência e tente de novo.',
  ],
  reset_too_soon: [
    'Outra pessoa definiu a sua senha há menos de 24 horas.',
    'Nenhum PIN foi definido. Espere completar 24 horas.',
  ],
  password_invalid: ['A senha está incorreta.', 'Nada foi alterado. Digite de novo.'],
  invalid_credentials: ['A senha está incorreta.', 'A página continua bloqueada. Digite de novo.'],
  reauthentication_required: ['Você entrou há algum tempo.', 'Nada foi alterado. Digite a sua senha e tente de novo.'],
  idempotency_key_reused: [
    'Este número de transferência já foi usado em outra.',
    'Nada foi enviado agora. Veja o extrato antes de enviar de novo.',
  ],
  not_found: ['Esta transferência não existe, ou não é sua.', 'Volte ao extrato.'],
};
