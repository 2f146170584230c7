import type { en } from './failures.en.ts';
import { ptBr as readFailures } from './read-failures.pt-br.ts';

export const ptBr: typeof en = {
  ...readFailures,
  body_too_large: ['Isto é grande demais.', 'Não foi enviado. Diminua o tamanho e tente de novo.'],
  reauthentication_required: [
    'Entre com a senha para fazer isto.',
    'Nada mudou. Entre com e-mail e senha e tente de novo.',
  ],
  sign_ups_stopped: [
    'O restaurante não aceita novos cadastros agora.',
    'Nada foi criado. Entre se você já se cadastrou; para pedir, escaneie o código da sua mesa.',
  ],
  transfers_stopped: [
    'O restaurante suspendeu as transferências.',
    'Nenhum valor foi transferido. Pague em dinheiro ou cartão, ou tente mais tarde.',
  ],
  invalid_credentials: ['E-mail ou senha incorretos.', 'Você não entrou. Confira os dois e tente de novo.'],
  password_blocked: [
    'Foram digitadas senhas incorretas demais para este usuário.',
    'Você não entrou. Peça uma senha nova à gerência, ou use o seu PIN onde você ainda está conectado.',
  ],
  email_taken: ['Já existe um cadastro com este e-mail.', 'Nada foi criado. Entre, ou use outro e-mail.'],
  password_too_weak: [
    'Esta senha é fácil de adivinhar.',
    'Ela não foi definida. Escolha uma mais longa e menos comum.',
  ],
  password_invalid: ['A senha atual está incorreta.', 'Ela não foi trocada. Digite de novo.'],
  validation_failed: ['Algo no formulário não está certo.', 'Nada foi alterado. Corrija e tente de novo.'],
  signed_out: ['Sua sessão terminou.', 'Nada foi alterado. Entre de novo e repita.'],
  forbidden: ['Você não tem permissão para isto.', 'Nada foi alterado. Fale com a gerência.'],
  not_found: ['Isto não existe mais.', 'Nada foi alterado. Volte e veja de novo.'],
  conflict: ['Outra pessoa acabou de alterar isto.', 'Nada foi alterado. Veja como está agora e decida de novo.'],
};
