import type { forms as en } from './forms.en.ts';

export const forms: typeof en = {
  cancel: 'Cancelar',
  save: 'Salvar',
  loading: 'Carregando…',
  oneMoment: 'Um momento…',
  keep: 'Manter',
  remove: 'Remover',
  amount: 'Valor',
  name: 'Nome',
  password: 'Senha',
  email: 'E-mail',
};
