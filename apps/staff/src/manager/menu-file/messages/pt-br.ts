import { menuImport } from '@comanda/contracts/rules';
import { plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

const dishes = (count: number): string => plural(count, { one: '1 prato', other: `${count} pratos` });
const changedText = (count: number): string => plural(count, { one: '1 alterado', other: `${count} alterados` });
const newText = (count: number): string => plural(count, { one: '1 novo', other: `${count} novos` });

export const ptBr: typeof en = {
  title: 'Cardápio em arquivo',
  hint: 'Importe vários pratos de uma vez a partir de uma planilha. Ou baixe o cardápio, altere-o na planilha e importe de novo. Opções, porções e pratos esgotados não estão no arquivo e ficam como estão.',
  back: 'Todos os pratos',
  download: 'Baixar o cardápio',
  file: 'cardapio',
  choose: 'Escolher um arquivo CSV',
  drop: 'Você também pode soltá-lo aqui.',
  rows: 'Linhas do arquivo',
  rowsHint:
    'Escolha um arquivo ou cole as linhas dele aqui. A primeira linha traz os nomes das colunas, por exemplo: nome, preço, categoria, alergênicos, nome em inglês. Colunas que o arquivo não tem não mudam nada.',
  unreadable: {
    spreadsheet: 'Isto é uma planilha, não um arquivo CSV. No Excel ou no Google Planilhas, salve como CSV primeiro.',
    tooLarge: `Este arquivo tem mais de ${menuImport.maxKilobytes} KB. Divida-o em vários arquivos.`,
    failed: 'O navegador não consegue ler este arquivo. Escolha-o de novo ou cole as linhas dele.',
  },
  noName: (found) =>
    `Nenhuma coluna tem os nomes dos pratos. Dê a ela o título “nome”. A primeira linha tem estas colunas: ${found}.`,
  noHeader: 'A primeira linha precisa trazer os nomes das colunas: nome, preço, categoria.',
  columnTwice: (one, other) => `As colunas ${one} e ${other} têm o mesmo campo. Remova uma delas.`,
  unknown: (columns) => `Colunas que ficam de fora: ${columns}.`,
  noRows: 'Não há pratos abaixo da primeira linha.',
  preview: 'Prévia',
  summary: ({ added, changed, unchanged, wrong }) =>
    [
      added > 0 && newText(added),
      changed > 0 && changedText(changed),
      unchanged > 0 && `${unchanged} sem alteração`,
      wrong > 0 && plural(wrong, { one: '1 com erro', other: `${wrong} com erro` }),
    ]
      .filter(Boolean)
      .join(', '),
  wrong: (lines) => plural(lines, { one: '1 erro no arquivo', other: `${lines} erros no arquivo` }),
  wrongToDo: 'Nada é importado até a correção. Corrija as linhas acima, ou corrija o arquivo e escolha-o de novo.',
  at: (line, column) => (column === null ? `Linha ${line}` : `Linha ${line}, ${column}`),
  faults: {
    price: (text) => `“${text}” não é um preço. Escreva como 14,00 ou 14.00.`,
    splitPrice: (text) => `A vírgula separa o preço ${text}. Escreva “${text}” entre aspas, ou com ponto.`,
    pricing: (text) => `“${text}” precisa ser fixo, aberto ou por kg.`,
    allergen: (text) => `“${text}” não é um dos 14 alergênicos.`,
    allergenList: (names) => `Os 14 alergênicos: ${names}.`,
    count: (text) => `“${text}” não é um número inteiro.`,
    yesOrNo: (text) => `“${text}” precisa ser sim ou não.`,
    picture: (text) => `“${text}” não é o endereço de uma imagem. Ele começa com https://`,
    tooLong: () => 'Este texto é longo demais. Encurte-o.',
    rejected: () => 'O servidor não aceita este valor. Confira o tamanho e remova caracteres incomuns.',
    noName: () => 'O prato está sem nome.',
    newNeedsPrice: () => 'Este prato é novo e precisa de um preço.',
    noCategory: () => 'A categoria está traduzida, mas o prato não tem nenhuma. Informe também a categoria.',
    twice: (line) => `Este prato já está na linha ${line}. Remova um dos dois.`,
    cells: () => 'A linha tem mais células do que colunas. Coloque entre aspas os textos e preços com vírgula.',
    quotes: () => 'As aspas a partir daqui não combinam. Dentro de uma célula, escreva cada uma duas vezes.',
  },
  tooMany: (count) =>
    `Uma importação aceita no máximo ${menuImport.maxDishes} pratos, e esta tem ${count}. Divida o arquivo.`,
  tooLarge: `Uma importação aceita no máximo ${menuImport.maxKilobytes} KB. Divida o arquivo.`,
  dish: 'Prato',
  change: 'Alteração',
  isNew: 'Novo',
  empty: 'vazio',
  noLimit: 'sem limite',
  pricings: { fixed: 'fixo', open: 'aberto', per_kg: 'por kg' },
  yes: 'sim',
  no: 'não',
  showAll: (count) => `Mostrar todos os ${count}`,
  submit: (count) => `Importar ${dishes(count)}`,
  nothing: 'O cardápio já está como neste arquivo.',
  importing: 'Importando…',
  youImport: (added, changed) =>
    [
      added > 0 && `Você está adicionando ${dishes(added)}`,
      changed > 0 && `${added > 0 ? 'e alterando' : 'Você está alterando'} ${dishes(changed)}`,
    ]
      .filter(Boolean)
      .join(' '),
  done: (added, changed) =>
    `Importação concluída: ${[added > 0 && newText(added), changed > 0 && changedText(changed)].filter(Boolean).join(', ') || 'nenhuma alteração'}.`,
  columns: {
    name: 'nome',
    description: 'descrição',
    price: 'preço',
    pricing: 'tipo de preço',
    category: 'categoria',
    station: 'praça',
    allergens: 'alergênicos',
    portions_left: 'porções',
    available: 'disponível',
    position: 'posição',
    image_url: 'endereço da imagem',
    name_en: 'nome em inglês',
    description_en: 'descrição em inglês',
    category_en: 'categoria em inglês',
    'name_pt-BR': 'nome em português',
    'description_pt-BR': 'descrição em português',
    'category_pt-BR': 'categoria em português',
  },
};
