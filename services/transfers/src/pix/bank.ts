import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Minor } from '../money.ts';
import { BankUnavailable, type BankConnection } from './bank-connection.ts';

/**
 * Money that went back to the payer. `status` is the bank's own word: `DEVOLVIDO`, `NAO_REALIZADO`, `EM_PROCESSAMENTO` … `id` is
 * null if nobody gave it one, because it was returned in the bank's app for example.
 */
export type BankReturn = { id: string | null; amountMinor: Minor; status: string };
/** A Pix as the bank has just reported it. The payer's name and CPF are left out. */
export type BankPix = {
  endToEndId: string;
  txid: string | null;
  amountMinor: Minor;
  /** The key to which it was sent; null if the bank doesn't say. */
  key: string | null;
  receivedAt: Date;
  note: string | null;
  returns: readonly BankReturn[];
};
/** A charge at the bank. `code` is the text of its QR code; `location` its address. The bank may leave out either. */
export type BankCharge = { status: string; amount: string; code: string | null; location: string | null };
export type NewBankCharge = { txid: string; amount: string; key: string; seconds: number };
/** `unreadable`: how many listed Pix have no id, amount or time. */
export type PixPage = { pix: BankPix[]; pages: number; unreadable: number };
export type PixListQuery = { from: Date; to: Date; page: number; hasReturns: boolean };

/** What the bank's Pix API [BACEN, API Pix 2.9.0] is used for. Every call throws BankUnavailable if the bank doesn't answer. */
export type Bank = ReturnType<typeof createBank>;

const itemsPerPage = 100;

export const createBank = ({ send, open, now, isUp, close }: BankConnection) => ({
  open,
  now,
  isUp,
  close,
  /** Returns null if the bank doesn't know the charge. */
  getCharge: async (txid: string): Promise<BankCharge | { refusedWith: number } | null> => {
    const { status, body } = await send({ method: 'GET', path: `/cob/${txid}` });
    if (status === 404) return null;
    return status === 200 ? toCharge(body) : { refusedWith: status };
  },
  putCharge: async ({ txid, amount, key, seconds }: NewBankCharge): Promise<BankCharge | { refusedWith: number }> => {
    const charge = { calendario: { expiracao: seconds }, valor: { original: amount }, chave: key };
    const { status, body } = await send({ method: 'PUT', path: `/cob/${txid}`, body: charge });
    return status === 200 || status === 201 ? toCharge(body) : { refusedWith: status };
  },
  /** Returns null if the bank doesn't know the Pix. @throws BankUnavailable for every other answer that is no Pix */
  getPix: async (endToEndId: string): Promise<BankPix | null> => {
    const { status, body } = await send({ method: 'GET', path: `/pix/${endToEndId}` });
    return status === 404 ? null : readOr(status === 200 ? toPix(body) : null, 'GET /pix/{e2eid}', status);
  },
  /** Lists the Pix received in a period, and how many pages there are. A list that lacks its Pix is empty. */
  listPix: async ({ from, to, page, hasReturns }: PixListQuery): Promise<PixPage | { refusedWith: number }> => {
    const query = {
      inicio: from.toISOString(),
      fim: to.toISOString(),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(itemsPerPage),
      ...(hasReturns && { devolucaoPresente: 'true' }),
    };
    const { status, body } = await send({ method: 'GET', path: '/pix', query }, 'list');
    if (status !== 200) return { refusedWith: status };
    const listed = Array.isArray(body['pix']) ? (body['pix'] as Json[]) : [];
    const { quantidadeDePaginas: pages } = child(child(body, 'parametros'), 'paginacao');
    const pix = listed.flatMap((each) => toPix(each) ?? []);
    return { pix, pages: typeof pages === 'number' ? pages : 1, unreadable: listed.length - pix.length };
  },
  /** Returns null if the bank doesn't know the refund. @throws BankUnavailable for every other answer that is no refund */
  getReturn: async (endToEndId: string, id: string): Promise<BankReturn | null> => {
    const { status, body } = await send({ method: 'GET', path: `/pix/${endToEndId}/devolucao/${id}` });
    if (status === 404) return null;
    return readOr(status === 200 ? toReturn({ id, ...body }) : null, 'GET /pix/{e2eid}/devolucao/{id}', status);
  },
  /** Asks the bank to return money. Returns the refund, or the status with which the bank refuses it. */
  putReturn: async (
    endToEndId: string,
    { id, amountMinor }: { id: string; amountMinor: Minor },
  ): Promise<BankReturn | { refusedWith: number }> => {
    const path = `/pix/${endToEndId}/devolucao/${id}`;
    const { status, body } = await send({ method: 'PUT', path, body: { valor: fromMinor(amountMinor) } });
    const returned = status === 200 || status === 201 ? toReturn({ id, ...body }) : null;
    return returned ?? { refusedWith: status };
  },
});

/** Only a 404 says that the bank knows nothing of it. After any other answer, the bank is asked again. */
function readOr<T>(found: T | null, call: string, status: number): T {
  if (found === null) throw new BankUnavailable(`the bank answered ${call} with ${status}`);
  return found;
}

type Json = Record<string, unknown>;
const child = (parent: unknown, name: string): Json => {
  const value = (parent as Json | null | undefined)?.[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
};
const textIn = (parent: Json, name: string): string | null => {
  const value = parent[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const toCharge = (body: Json): BankCharge => ({
  status: textIn(body, 'status') ?? '',
  amount: textIn(child(body, 'valor'), 'original') ?? '',
  code: textIn(body, 'pixCopiaECola'),
  location: textIn(body, 'location') ?? textIn(child(body, 'loc'), 'location'),
});

const minorIn = (parent: Json, name: string): Minor | null => {
  try {
    return toMinor(String(parent[name]));
  } catch {
    return null; // not an amount
  }
};

/** Returns null if the bank's answer is not a Pix with an id, an amount and a time. */
function toPix(body: Json): BankPix | null {
  const endToEndId = textIn(body, 'endToEndId');
  const amountMinor = minorIn(body, 'valor');
  const receivedAt = new Date(textIn(body, 'horario') ?? '');
  if (endToEndId === null || !/^[A-Za-z0-9]{1,64}$/.test(endToEndId)) return null;
  if (amountMinor === null || Number.isNaN(receivedAt.getTime())) return null;
  const returns = Array.isArray(body['devolucoes']) ? (body['devolucoes'] as Json[]) : [];
  return {
    endToEndId,
    txid: textIn(body, 'txid')?.slice(0, 35) ?? null,
    amountMinor,
    key: textIn(body, 'chave'),
    receivedAt,
    note: noteOf(textIn(body, 'infoPagador')),
    returns: returns.flatMap((each) => toReturn(each) ?? []),
  };
}

/** Shortens the payer's text to 140 characters, and removes control characters. */
const noteOf = (text: string | null): string | null =>
  text === null
    ? null
    : Array.from(text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' '))
        .slice(0, 140)
        .join('');

function toReturn(body: Json): BankReturn | null {
  const amountMinor = minorIn(body, 'valor');
  if (amountMinor === null) return null;
  return { id: textIn(body, 'id'), amountMinor, status: textIn(body, 'status') ?? '' };
}
