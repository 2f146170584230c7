import { randomBytes, randomUUID } from 'node:crypto';
import { dynamicCode, readBrCode } from '@comanda/contracts/br-code';

type Charge = { txid: string; amount: string; key: string; createdAt: number; seconds: number; location: string };
type Return = { id: string; amount: string; status: string; at: number; isOurs: boolean };
type Received = {
  e2e: string;
  txid: string | null;
  amount: string;
  key: string | null;
  note: string | null;
  at: number;
  returns: Return[];
};
export type NewPix = {
  /** The charge that it pays; absent for a Pix to the key. */
  txid?: string;
  /** A decimal string with two decimal places; by default the charge's amount. */
  amount?: string;
  key?: string | null;
  note?: string;
  /** When it was received, in milliseconds since the epoch; by default now. */
  at?: number;
};

export const fakeReceiver = { key: '71d6c6e1-64ea-4a11-9560-a10870c40ca2', name: 'CANTINA DA ANA', city: 'SAO PAULO' };

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const textIn = (body: Json, name: string): string => (typeof body[name] === 'string' ? body[name] : '');
const iso = (ms: number): string => new Date(ms).toISOString();

type BooksOptions = {
  clock: () => number;
  /** False if charges have no `pixCopiaECola`. */
  sendsCodes: boolean;
  /** False if the list is always answered with its first page. */
  hasPages: boolean;
};
export type BankBooks = ReturnType<typeof createBankBooks>;

/** Creates the charges and Pix of the fake bank, and the answers about them. Everything is kept in memory. */
export function createBankBooks({ clock, sendsCodes, hasPages }: BooksOptions) {
  const charges = new Map<string, Charge>();
  const received = new Map<string, Received>();
  let refundEnd = 'DEVOLVIDO';

  function pay({ txid, amount, key = fakeReceiver.key, note, at = clock() }: NewPix): string {
    const e2e = `E00000000${iso(at).replaceAll(/\D/g, '').slice(0, 12)}${randomBytes(6).toString('hex').slice(0, 11)}`;
    const charge = txid === undefined ? undefined : charges.get(txid);
    received.set(e2e, {
      e2e,
      txid: txid ?? null,
      amount: amount ?? charge?.amount ?? '0.01',
      key,
      note: note ?? null,
      at,
      returns: [],
    });
    return e2e;
  }
  function payCode(code: string): string {
    const read = readBrCode(code.trim());
    const charge = [...charges.values()].find(({ location }) => location === read?.location);
    if (charge) return pay({ txid: charge.txid });
    if (read?.key !== fakeReceiver.key || read.amount === null) throw new Error('This is no code of this restaurant.');
    return pay({ ...(read.txid !== null && { txid: read.txid }), amount: read.amount });
  }

  const routes: Route[] = [
    ['PUT', /^\/v2\/cob\/([A-Za-z0-9]{26,35})$/, ([txid = ''], { body }) => putCharge(txid, body)],
    ['GET', /^\/v2\/cob\/([A-Za-z0-9]{26,35})$/, ([txid = '']) => getCharge(txid)],
    ['GET', /^\/v2\/pix$/, (_path, { query }) => listPix(query)],
    ['GET', /^\/v2\/pix\/([A-Za-z0-9]{32})$/, ([e2e = '']) => found(received.get(e2e), toPix)],
    [
      'GET',
      /^\/v2\/pix\/([A-Za-z0-9]{32})\/devolucao\/([A-Za-z0-9]{1,35})$/,
      ([e2e = '', id]) =>
        found(
          received.get(e2e)?.returns.find((each) => each.id === id),
          toReturn,
        ),
    ],
    [
      'PUT',
      /^\/v2\/pix\/([A-Za-z0-9]{32})\/devolucao\/([A-Za-z0-9]{1,35})$/,
      ([e2e = '', id = ''], { body }) => putReturn(e2e, { id, body }),
    ],
  ];

  function putCharge(txid: string, body: Json): Answer {
    const amount = textIn((body['valor'] ?? {}) as Json, 'original');
    const seconds = Number((body['calendario'] as Json | undefined)?.['expiracao'] ?? 86_400);
    const key = textIn(body, 'chave');
    const isValid = /^\d{1,10}\.\d{2}$/.test(amount) && cents(amount) > 0 && Number.isInteger(seconds) && seconds > 0;
    if (!isValid || key !== fakeReceiver.key || charges.has(txid)) return problem(400, 'CobOperacaoInvalida');
    const location = `pix.example.com/qr/v2/${randomUUID().replaceAll('-', '')}`;
    charges.set(txid, { txid, amount, key, createdAt: clock(), seconds, location });
    return { ...getCharge(txid), status: 201 };
  }
  function getCharge(txid: string): Answer {
    const charge = charges.get(txid);
    if (!charge) return problem(404, 'NaoEncontrado');
    const { amount, key, createdAt, seconds, location } = charge;
    const isPaid = [...received.values()].some((pix) => pix.txid === txid);
    const { name, city } = fakeReceiver;
    return {
      status: 200,
      body: {
        calendario: { criacao: iso(createdAt), expiracao: seconds },
        txid,
        revisao: 0,
        loc: { id: 1, location, tipoCob: 'cob' },
        location,
        status: isPaid ? 'CONCLUIDA' : 'ATIVA',
        valor: { original: amount },
        chave: key,
        ...(sendsCodes && { pixCopiaECola: dynamicCode({ location, name, city }) }),
      },
    };
  }
  function listPix(query: URLSearchParams): Answer {
    const [from, to] = [Date.parse(query.get('inicio') ?? ''), Date.parse(query.get('fim') ?? '')];
    const size = Number(query.get('paginacao.itensPorPagina') ?? 100);
    const page = hasPages ? Number(query.get('paginacao.paginaAtual') ?? 0) : 0;
    // Some banks reject the future, and more than a day at once.
    if (!(from <= to) || to > clock() || to - from > 24 * 3600_000) return problem(400, 'PixConsultaInvalida');
    const hasReturns = query.get('devolucaoPresente') === 'true';
    const all = [...received.values()]
      .filter(({ at, returns }) => at >= from && at <= to && (!hasReturns || returns.length > 0))
      .toSorted((a, b) => a.at - b.at);
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.ceil(all.length / size),
      quantidadeTotalDeItens: all.length,
    };
    const pix = all.slice(page * size, (page + 1) * size).map(toPix);
    return {
      status: 200,
      body: { parametros: { inicio: iso(from), fim: iso(to), paginacao }, ...(pix.length > 0 && { pix }) },
    };
  }
  function putReturn(e2e: string, { id, body }: { id: string; body: Json }): Answer {
    const pix = received.get(e2e);
    if (!pix) return problem(404, 'NaoEncontrado');
    const earlier = pix.returns.find((each) => each.id === id);
    if (earlier) return problem(400, 'PixDevolucaoInvalida');
    const amount = textIn(body, 'valor');
    const left = cents(pix.amount) - returnedOf(pix);
    if (!/^\d{1,10}\.\d{2}$/.test(amount) || cents(amount) > left) return problem(400, 'PixDevolucaoInvalida');
    const created: Return = { id, amount, status: 'EM_PROCESSAMENTO', at: clock(), isOurs: true };
    pix.returns.push(created);
    return { status: 201, body: { ...toReturn(created), status: 'EM_PROCESSAMENTO' } };
  }
  const toReturn = ({ id, amount, status, at, isOurs }: Return): Json => ({
    ...(isOurs && { id }), // what was returned in the bank's app has none at some banks
    rtrId: `D00000000${iso(at).replaceAll(/\D/g, '').slice(0, 12)}${id.slice(0, 11)}`,
    valor: amount,
    horario: { solicitacao: iso(at) },
    status: isOurs ? refundEnd : status,
  });
  const toPix = ({ e2e, txid, amount, key, note, at, returns }: Received): Json => ({
    endToEndId: e2e,
    ...(txid !== null && { txid }),
    valor: amount,
    ...(key !== null && { chave: key }),
    horario: iso(at),
    ...(note !== null && { infoPagador: note }),
    pagador: { nome: 'Fulano de Tal', cpf: '12345678909' },
    ...(returns.length > 0 && { devolucoes: returns.map(toReturn) }),
  });
  const returnedOf = ({ returns }: Received): number =>
    returns.reduce((sum, { amount, isOurs }) => sum + (isOurs && refundEnd === 'NAO_REALIZADO' ? 0 : cents(amount)), 0);

  /** Answers a call of the Pix API. */
  function answer({ method, url, content }: { method: string; url: URL; content: string }): Answer {
    for (const [verb, form, answerTo] of routes) {
      const match = form.exec(url.pathname);
      if (!match || verb !== method) continue;
      const body = content === '' ? {} : (JSON.parse(content) as Json);
      return answerTo(match.slice(1), { query: url.searchParams, body });
    }
    return problem(404, 'NaoEncontrado');
  }
  return {
    pay,
    payCode,
    answer,
    /** Returns the charges that nobody has paid. */
    open: (): Charge[] =>
      [...charges.values()].filter(({ txid }) => ![...received.values()].some((pix) => pix.txid === txid)),
    returnByItself: (e2e: string, amount?: string): void => {
      const pix = received.get(e2e);
      const id = `M${randomBytes(8).toString('hex')}`;
      pix?.returns.push({ id, amount: amount ?? pix.amount, status: 'DEVOLVIDO', at: clock(), isOurs: false });
    },
    setRefundEnd: (status: string): void => {
      refundEnd = status;
    },
    returned: (e2e: string): number => {
      const pix = received.get(e2e);
      return pix ? returnedOf(pix) : 0;
    },
  };
}

type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json };
type Route = [
  method: string,
  form: RegExp,
  answer: (path: string[], input: { query: URLSearchParams; body: Json }) => Answer,
];

export const problem = (status: number, kind: string): Answer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${kind}`, title: kind, status, detail: 'This is not possible.' },
});
const found = <T>(resource: T | undefined, toBody: (resource: T) => Json): Answer =>
  resource === undefined ? problem(404, 'NaoEncontrado') : { status: 200, body: toBody(resource) };
