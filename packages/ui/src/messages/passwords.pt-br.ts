import { forms } from './forms.pt-br.ts';
import type { en } from './passwords.en.ts';

export const ptBr: typeof en = {
  email: forms.email,
  password: forms.password,
  signIn: 'Entrar',
  signingIn: 'Entrando…',
  newPassword: 'Nova senha',
  newPasswordHint: 'Pelo menos 8 caracteres, e não uma senha comum.',
  changePassword: 'Trocar senha',
  changePasswordTitle: 'Crie a sua própria senha',
  changePasswordWhy: 'Outra pessoa definiu a sua senha. Troque-a para continuar.',
};
