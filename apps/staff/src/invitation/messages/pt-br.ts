import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  title: (name) => `Boas-vindas, ${name}`,
  youAre: { waiter: 'Este convite é para a equipe: garçom.', manager: 'Este convite é para a equipe: gerente.' },
  signInWith: 'Você vai entrar com',
  password: 'Escolha uma senha',
  passwordHint: 'Pelo menos 8 caracteres. Ninguém mais vai ver.',
  pin: 'PIN do tablet',
  pinHint:
    'Quatro dígitos para entrar nos tablets do restaurante. Sem anos nem padrões como 1234 ou 4826. Você pode definir depois.',
  pinErrors: {
    length: 'Digite quatro dígitos, ou deixe vazio.',
    weak: 'Este PIN é fácil de adivinhar. Nada foi salvo: escolha quatro dígitos sem padrão.',
  },
  accept: 'Salvar e entrar',
  accepting: forms.oneMoment,
  invalid: 'Este link não funciona mais',
  invalidHint:
    'Ele foi usado, substituído ou cancelado, ou expirou. Se você já escolheu uma senha, entre com ela. Se não, peça outro link a um gerente.',
  toSignIn: 'Ir para o login',
  tryAgain: common.tryAgain,
};
