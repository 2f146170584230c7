import { common } from '@comanda/ui/messages/common.pt-br.ts';
import { forms } from '@comanda/ui/messages/forms.pt-br.ts';
import type { en } from './en.ts';

export const ptBr: typeof en = {
  main: 'Caixa principal',
  drawers: 'Caixas',
  form: (drawer) => `Contar: ${drawer}`,
  counted: (sign) => `Contado (${sign})`,
  hint: 'Tudo o que está nele, com o fundo de troco.',
  addedUp: 'Soma das notas e moedas.',
  invalid: 'Digite o que você contou, como 860,00.',
  pieces: 'Contar notas e moedas',
  piecesTitle: 'Notas e moedas',
  piece: (value) => `Quantas de ${value}`,
  invalidPiece: 'Digite só números inteiros.',
  onlyTotal: 'Digitar só o total',
  submit: 'Salvar contagem',
  submitWith: (amount) => `Salvar contagem: ${amount}`,
  cancel: forms.cancel,
  retired: {
    happened: 'Este caixa foi desativado.',
    toDo: 'Nada foi salvo. Escolha outro caixa. Um gerente pode reativar este.',
  },
  page: {
    title: 'Contar caixa',
    hint: 'Conte tudo o que está no caixa. O gerente vê se confere.',
    back: 'Mesas',
    tryAgain: common.tryAgain,
    again: 'Contar de novo',
    saved: (drawer, amount, time) => `${drawer}: ${amount}, salvo às ${time}.`,
  },
  to: (drawer) => `Para: ${drawer}`,
  from: (drawer) => `De: ${drawer}`,
  choose: 'Qual caixa este aparelho usa?',
};
