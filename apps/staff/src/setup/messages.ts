import { messagesOf } from '@comanda/ui/language.ts';

const en = {
  title: 'Open your restaurant',
  why: 'This restaurant has no manager yet. You become the first one.',
  code: 'Setup code',
  codeHint:
    'It’s in the terminal of npm start. On another server, npm run create-setup-code prints one. It works for 24 hours.',
  name: 'Your name',
  email: 'E-mail',
  emailHint: 'You sign in with it.',
  password: 'Choose a password',
  passwordHint: 'At least 8 characters, and not a common password.',
  open: 'Open the restaurant',
  opening: 'One moment…',
  hasManager: 'I already have a sign-in',
  invalidCode: 'This setup code doesn’t work.',
  invalidCodeToDo: 'Enter the newest code as it was printed, or create another one on the server.',
  complete: 'This restaurant already has a manager.',
  completeToDo: 'Sign in, or ask a manager to invite you.',
  toSignIn: 'Go to sign-in',
};
const ptBr: typeof en = {
  title: 'Abra o seu restaurante',
  why: 'Este restaurante ainda não tem gerente. O primeiro vai ser você.',
  code: 'Código de instalação',
  codeHint:
    'Ele aparece no terminal do npm start. Em outro servidor, npm run create-setup-code gera um. Vale por 24 horas.',
  name: 'Seu nome',
  email: 'E-mail',
  emailHint: 'Você entra com ele.',
  password: 'Escolha uma senha',
  passwordHint: 'Pelo menos 8 caracteres, e que não seja uma senha comum.',
  open: 'Abrir o restaurante',
  opening: 'Um momento…',
  hasManager: 'Já tenho um acesso',
  invalidCode: 'Este código de instalação não funciona.',
  invalidCodeToDo: 'Digite o código mais novo como ele apareceu, ou crie outro no servidor.',
  complete: 'Este restaurante já tem um gerente.',
  completeToDo: 'Entre, ou peça um convite a um gerente.',
  toSignIn: 'Ir para o login',
};
export const setupMessages = messagesOf({ en, 'pt-BR': ptBr });
