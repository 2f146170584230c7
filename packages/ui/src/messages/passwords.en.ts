import { forms } from './forms.en.ts';

export const en = {
  email: forms.email,
  password: forms.password,
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters, and not a common password.',
  changePassword: 'Change password',
  changePasswordTitle: 'Choose your own password',
  changePasswordWhy: 'Someone else set your password. Change it to continue.',
};
