import type { en } from './failures.en.ts';

export const ptBr: typeof en = {
  unreachable: ['Não há conexão.', 'O servidor não respondeu. Verifique o Wi-Fi e tente de novo.'],
  unreachableUnknown: ['Não houve resposta.', 'Pode ter sido feito ou não. Tente de novo: será feito uma única vez.'],
  inBetween: [
    'Algo entre este aparelho e o servidor respondeu: erro {status}.',
    'Tente de novo daqui a pouco. Se acontecer outra vez, informe este número.',
  ],
  networkSignIn: [
    'A rede respondeu no lugar do restaurante.',
    'Talvez ela peça um login antes: abra a página de login do Wi-Fi ou use outra rede. Depois tente de novo.',
  ],
  body_too_large: ['Isto é grande demais.', 'Não foi enviado. Diminua o tamanho e tente de novo.'],
  rate_limited: ['Muitas tentativas em pouco tempo.', 'Nada foi alterado. Espere um minuto e tente de novo.'],
  reauthentication_required: ['Isto exige uma entrada com a senha.', 'Nada mudou. Entre com e-mail e senha e repita.'],
  sign_ups_stopped: [
    'O restaurante não aceita novos cadastros agora.',
    'Nada foi criado. Entre se você já se cadastrou; para pedir, leia o código da sua mesa.',
  ],
  transfers_stopped: [
    'O restaurante suspendeu as transferências.',
    'Nenhum dinheiro foi movido. Pague em dinheiro ou cartão, ou tente mais tarde.',
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
  signed_out: ['Você saiu.', 'Nada foi alterado. Entre de novo e repita.'],
  forbidden: ['Você não pode fazer isto.', 'Nada foi alterado. Fale com a gerência.'],
  not_found: ['Isto não existe mais.', 'Nada foi alterado. Volte e veja de novo.'],
  conflict: ['Outra pessoa foi mais rápida.', 'Nada foi alterado. Veja como está agora e decida de novo.'],
  service: ['Uma parte do sistema não responde.', 'Tente de novo daqui a pouco.'],
  other: ['O servidor recusou isto.', 'Nada foi alterado. Tente de novo, ou chame alguém da equipe.'],
};
