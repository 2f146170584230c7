import { common } from './common.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  newVersionSince: (time: string) => `Esta tela foi atualizada às ${time}.`,
  close: common.close,
  copy: 'Copiar',
  copied: common.copied,
  requestId: 'Código para o suporte',
  email: common.email,
  password: common.password,
  signIn: 'Entrar',
  signingIn: 'Entrando…',
  newPassword: 'Nova senha',
  newPasswordHint: 'Pelo menos 8 caracteres, e não uma senha comum.',
  changePassword: 'Trocar senha',
  changePasswordTitle: 'Crie a sua própria senha',
  changePasswordWhy: 'Outra pessoa definiu a sua senha. Troque-a para continuar.',
  fewer: 'Um a menos',
  more: 'Um a mais',
  quantity: 'Quantidade',
  tableOf: (table) => `Mesa ${table}`,
  toDark: 'Escuro',
  toLight: 'Claro',
};
