import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  title: 'Abra o seu restaurante',
  why: 'Este restaurante ainda não tem gerente. O primeiro vai ser você.',
  code: 'Código de instalação',
  codeHint:
    'Ele aparece no terminal do npm start. Em outro servidor, npm run create-setup-code gera um. Vale por 24 horas.',
  name: 'Seu nome',
  email: forms.email,
  emailHint: 'Você entra com ele.',
  password: 'Escolha uma senha',
  passwordHint: 'Pelo menos 8 caracteres, e que não seja uma senha comum.',
  open: 'Abrir o restaurante',
  opening: forms.oneMoment,
  hasManager: 'Já tenho um acesso',
  invalidCode: 'Este código de instalação não funciona.',
  invalidCodeToDo: 'Digite o código mais novo como ele apareceu, ou crie outro no servidor.',
  complete: 'Este restaurante já tem um gerente.',
  completeToDo: 'Entre, ou peça um convite a um gerente.',
  toSignIn: 'Ir para o login',
};
