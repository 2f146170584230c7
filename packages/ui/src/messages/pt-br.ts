import { common } from './common.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  newVersionSince: (time: string) => `Esta tela foi atualizada às ${time}.`,
  close: common.close,
  tryAgain: common.tryAgain,
  loading: 'Carregando…',
  notLoaded: 'Isto não carregou. Verifique a conexão.',
  copy: 'Copiar',
  copied: common.copied,
  requestId: 'Código para o suporte',
  fewer: 'Um a menos',
  more: 'Um a mais',
  quantity: 'Quantidade',
  each: (counted) => `${counted} em cada`,
  tableOf: (table) => `Mesa ${table}`,
};
