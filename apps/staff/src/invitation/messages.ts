import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  title: (name: string) => `Welcome, ${name}`,
  youAre: { waiter: 'You’re invited as a waiter.', manager: 'You’re invited as a manager.' },
  signInWith: 'You will sign in with',
  password: 'Choose a password',
  passwordHint: 'At least 8 characters. No one else will see it.',
  pin: 'Tablet PIN',
  pinHint:
    'Four digits to sign in on the restaurant’s tablets. No years, and no pattern such as 1234 or 4826. You can set it later.',
  pinErrors: {
    length: 'Enter four digits, or leave it empty.',
    weak: 'This PIN is too easy to guess. Nothing was saved: choose four digits without a pattern.',
  },
  accept: 'Save and sign in',
  accepting: 'One moment…',
  invalid: 'This link no longer works',
  invalidHint:
    'It was used, replaced or withdrawn, or it has expired. If you chose a password, sign in with it. If not, ask a manager for a new link.',
  toSignIn: 'Go to sign-in',
  tryAgain: 'Try again',
};
const ptBr: typeof en = {
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
  accepting: 'Um momento…',
  invalid: 'Este link não funciona mais',
  invalidHint:
    'Ele foi usado, substituído ou cancelado, ou expirou. Se você já escolheu uma senha, entre com ela. Se não, peça outro link a um gerente.',
  toSignIn: 'Ir para o login',
  tryAgain: 'Tentar de novo',
};
export const invitationMessages = messagesOf({ en, 'pt-BR': ptBr });
