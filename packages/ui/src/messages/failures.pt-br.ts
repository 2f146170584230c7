import type { en } from './failures.en.ts';

export const ptBr: typeof en = {
  unreachable: ['Sem conexão.', 'O servidor não respondeu. Verifique o Wi-Fi e tente de novo.'],
  unreachableUnknown: ['Não houve resposta.', 'Não sabemos se deu certo. Tente de novo: só vale uma vez.'],
  inBetween: [
    'Algo entre este aparelho e o servidor respondeu: erro {status}.',
    'Tente de novo daqui a pouco. Se acontecer outra vez, informe este número.',
  ],
  networkSignIn: [
    'A rede respondeu no lugar do restaurante.',
    'Talvez ela peça um login antes: abra a página de login do Wi-Fi ou use outra rede. Depois tente de novo.',
  ],
  body_too_large: ['Isto é grande demais.', 'Não foi enviado. Diminua o tamanho e tente de novo.'],
  rate_limited: ['Muitas tentativas.', 'Nada foi alterado. Espere um minuto e tente de novo.'],
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
  service: ['Uma parte do sistema não responde.', 'Tente de novo daqui a pouco.'],
  other: ['Não foi possível fazer isto.', 'Nada foi alterado. Tente de novo, ou chame alguém da equipe.'],
};
