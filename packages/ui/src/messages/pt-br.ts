import type { en } from './en.ts';

export const ptBr: typeof en = {
  newVersionSince: (time: string) => `Esta tela foi atualizada às ${time}.`,
  close: 'Fechar',
  copy: 'Copiar',
  copied: 'Copiado',
  requestId: 'Código para o suporte',
  email: 'E-mail',
  password: 'Senha',
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
