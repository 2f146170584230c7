import { common } from './common.en.ts';

export const en = {
  newVersionSince: (time: string) => `This screen was updated at ${time}.`,
  close: common.close,
  copy: 'Copy',
  copied: common.copied,
  requestId: 'Reference',
  email: common.email,
  password: common.password,
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters, and not a common password.',
  changePassword: 'Change password',
  changePasswordTitle: 'Choose your own password',
  changePasswordWhy: 'Someone else set your password. Change it to continue.',
  fewer: 'One less',
  more: 'One more',
  quantity: 'Quantity',
  tableOf: (table: string) => `Table ${table}`,
  toDark: 'Dark',
  toLight: 'Light',
};
