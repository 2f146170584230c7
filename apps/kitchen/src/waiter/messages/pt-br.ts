import { formatConjunction, plural } from '@comanda/ui/format.ts';
import type { en } from './en.ts';

const openOrders = (count: number): string =>
  plural(count, { one: '1 pedido aberto', other: `${count} pedidos abertos` });
const dishes = (count: number): string => plural(count, { one: '1 prato', other: `${count} pratos` });

export const ptBr: typeof en = {
  title: 'Garçom',
  table: (table) => `Mesa ${table}`,
  noTable: (guest) => `Sem mesa, ${guest}`,
  allergyOf: (ticket) => `ALERGIA, pedido #${ticket}:`,
  taken: 'ocupada',
  tabs: { label: 'Garçom', ready: 'Prontos', tables: 'Mesas', order: 'Pedido' },
  readyCount: (count) => plural(count, { one: '1 mesa', other: `${count} mesas` }),
  stopReason: 'Motivo',
  paused: (until) => `Clientes não podem pedir até ${until}. Você pode pedir por eles.`,
  notLiveHint: 'As novidades não chegam aqui. Verifique o Wi-Fi. O que você servir será enviado depois.',
  unsentServed: (count) =>
    plural(count, {
      one: '1 "Servido" guardado, ainda não enviado',
      other: `${count} "Servido" guardados, ainda não enviados`,
    }),
  ready: {
    title: 'Prontos para servir',
    waiting: (age) => `Esperando ${age}`,
    readyWaiting: (age) => `Pronto, esperando ${age}`,
    served: (count) => plural(count, { one: 'Marcar 1 como servido', other: `Marcar ${count} como servidos` }),
    serveOne: 'Marcar como servido:',
    counts: (cooking, notBegun) =>
      [
        cooking > 0 && `${cooking} em preparo`,
        notBegun > 0 && plural(notBegun, { one: '1 não começado', other: `${notBegun} não começados` }),
      ]
        .filter(Boolean)
        .join(', '),
    inKitchen: 'Na cozinha',
    since: (age) => `há\u00a0${age}`,
    empty: 'Nada está pronto.',
    emptyHint: 'O que a cozinha terminar aparece aqui sozinho.',
    notRead: 'Lendo os pedidos…',
  },
  alarm: {
    title: (table, ticket) => (table === null ? `Sem mesa, pedido #${ticket}` : `Mesa ${table}, pedido #${ticket}`),
    strip: (count) => plural(count, { one: '1 pedido em nenhuma tela', other: `${count} pedidos em nenhuma tela` }),
    oldest: (age) => `, o mais antigo há\u00a0${age}`,
    unseen: (stations, age) => `Nenhuma tela (${stations.join(' ou ')}) mostra este pedido ainda. ${age}`,
    acknowledge: (stations) => `Avisei: ${formatConjunction(stations)}`,
    stations: new Map([
      ['kitchen', 'cozinha'],
      ['bar', 'bar'],
    ]),
  },
  notice: {
    served: (table, count) => `${table}: servido, ${dishes(count)}`,
    undo: 'Desfazer',
    sent: (ticket, table) =>
      table === null ? `O pedido #${ticket} foi enviado.` : `O pedido #${ticket} da mesa ${table} foi enviado.`,
    moved: (ticket, table) => `O pedido #${ticket} agora está na mesa ${table}.`,
    takenOff: (ticket, dish) => `${dish} saiu do pedido #${ticket}. A cozinha vê isso.`,
    closed: (table) => `A mesa ${table} está fechada.`,
    opened: (table) => `A mesa ${table} está aberta.`,
    recorded: (method, total) => `Registrado: ${method}, ${total}.`,
    ended: ({ table, number, isToClean, openCount }) => {
      if (table === null) return `A conta ${number} está fechada.`;
      if (openCount === 0)
        return `A conta ${number} está fechada, a mesa ${table} ${isToClean ? 'precisa ser limpa' : 'está livre'}.`;
      const clean = isToClean ? 'precisa ser limpa e ' : '';
      return `A conta ${number} está fechada. A mesa ${table} ${clean}ainda tem ${openOrders(openCount)}.`;
    },
    stopped: (table) =>
      `Interrompido. Uma tentativa anterior pode ter chegado: veja os pedidos da mesa ${table} antes de enviar de novo.`,
    overtaken: (ticket, who, time) =>
      `Pedido #${ticket}: alterado por ${who} às ${time}. O seu "Servido" não foi necessário.`,
    overtakenBySomebody: (ticket) => `O pedido #${ticket} mudou nesse meio-tempo. O seu "Servido" não foi feito.`,
    refused: (ticket) => `Pedido #${ticket}: o "Servido" não foi feito.`,
    me: 'você',
    close: 'Fechar',
  },
  tables: {
    title: 'Mesas',
    free: 'Livre',
    seated: 'Ocupada',
    openOrders,
    noOrders: 'Nada pedido ainda',
    allServed: 'Tudo servido',
    none: 'Ainda não há mesas. Um gerente as cria.',
    back: 'Todas as mesas',
    total: 'Total em aberto',
    orderHere: 'Novo pedido',
    open: 'Abrir mesa',
    openHint: 'Quem ler o código passa a fazer parte desta conta.',
    openWith: (count) => plural(count, { one: 'Abrir com este pedido', other: `Abrir com estes ${count} pedidos` }),
    openWithHint: 'A mesa não está aberta. Abra: aí ela tem uma só conta, e você pode fechá-la.',
    left: 'De clientes que já saíram, ainda na cozinha',
    leftCount: (count) =>
      plural(count, { one: '1 pedido de clientes que já saíram', other: `${count} pedidos de clientes que já saíram` }),
    bill: (amount) => `Conta, ${amount}`,
    billFrom: (ticket, amount) => `Conta desde o pedido #${ticket}, ${amount}`,
    paidBill: (number) => `Conta ${number}, paga`,
    close: 'Fechar mesa',
    closeAsk: (table) => `Fechar a mesa ${table}?`,
    closeTotal: (total) => `Total em aberto ${total}.`,
    closeOpenOrders: (count) =>
      plural(count, {
        one: '1 pedido ainda não foi servido. A cozinha continua com ele. Fechar mesmo assim?',
        other: `${count} pedidos ainda não foram servidos. A cozinha continua com eles. Fechar mesmo assim?`,
      }),
    closeGuests: 'Os clientes saem do sistema. A próxima leitura do código começa uma nova conta.',
    closeYes: 'Sim, fechar',
    cancel: 'Cancelar',
    notDone: 'Não foi feito.',
    order: (ticket) => `Pedido #${ticket}`,
    byGuest: (name, time) => `${name}, ${time}`,
    move: 'Mudar',
    moveLabel: (ticket) => `Mudar o pedido #${ticket}`,
    takeOff: (dish) => `Tirar ${dish}`,
    takeOffAsk: (quantity, dish, ticket) => `Tirar ${quantity}\u00A0${dish} do pedido #${ticket}?`,
    takeOffText: 'A cozinha é avisada, e sai da conta. Não dá para desfazer: peça de novo, se for preciso.',
    takeOffYes: 'Sim, tirar',
    moveAsk: (ticket) => `Mudar o pedido #${ticket} para qual mesa?`,
    status: {
      received: 'não começado',
      preparing: 'em preparo',
      ready: 'pronto',
      delivered: 'servido',
      cancelled: 'cancelado',
    },
    unknown: 'Esta mesa não existe.',
    unknownToDo: 'Escolha outra em “Todas as mesas” ou peça ao gerente que a cadastre.',
    unknownHint: 'Mude os pedidos para uma mesa que existe.',
  },
  order: {
    title: 'Pedido',
    whichTable: 'Para qual mesa?',
    change: 'Trocar a mesa',
    search: 'Buscar um prato',
    categories: 'Partes do cardápio',
    others: 'Outros',
    nothingFound: 'Nenhum prato tem todas estas palavras.',
    add: (name) => `Adicionar ${name}`,
    soldOut: 'Esgotado',
    left: (count) => plural(count, { one: 'resta 1', other: `restam ${count}` }),
    review: (count, total) => `Revisar, ${plural(count, { one: '1 item', other: `${count} itens` })}, ${total}`,
    reviewTitle: (table) => `Pedido para a mesa ${table}`,
    remarks: (name) => `Observações: ${name}`,
    remarksHint: 'O que a cozinha precisa saber.',
    allergies: 'Alergias do cliente',
    contains: (names) => `Contém ${names}`,
    unstated: 'Alérgenos não informados',
    clash: (dish, names) => `${dish} contém ${names}.`,
    clashToDo: 'Pergunte ao cliente antes de enviar.',
    unstatedAsk: (names) => `Alérgenos não informados, pergunte à cozinha: ${names}`,
    addMore: 'Adicionar mais',
    empty: 'Nada foi escolhido ainda.',
    send: 'Enviar para a cozinha',
    total: 'Total',
    opens: 'A mesa está livre: ela será aberta com este pedido.',
    discard: 'Descartar o pedido',
    discardAsk: 'Descartar tudo o que foi escolhido?',
    discardYes: 'Sim, descartar',
    keep: 'Manter',
  },
  outbox: {
    sending: (table) => `Mesa ${table}: enviando…`,
    late: (table) => `Mesa ${table}: ainda não enviado.`,
    lateHint: 'Continuamos tentando. A cozinha NÃO recebeu este pedido.',
    tryNow: 'Tentar agora',
    stop: 'Parar',
    refused: (table) => `Mesa ${table}: o pedido foi recusado.`,
    soldOut: (names) => `${names}: esgotado, ou restam poucos. Nada foi pedido.`,
    edit: 'Alterar',
    items: (count) => plural(count, { one: '1 item', other: `${count} itens` }),
  },
};
