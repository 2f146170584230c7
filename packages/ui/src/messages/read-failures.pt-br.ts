import type { en } from './read-failures.en.ts';

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
  rate_limited: ['Muitas tentativas.', 'Nada foi alterado. Espere um minuto e tente de novo.'],
  service: ['Uma parte do sistema não responde.', 'Tente de novo daqui a pouco.'],
  other: ['Não foi possível fazer isto.', 'Nada foi alterado. Tente de novo, ou chame alguém da equipe.'],
};
