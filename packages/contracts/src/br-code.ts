/**
 * Pix codes ("BR Code"): what a QR code contains and a payer's bank reads [EMV QRCPS-MPM, BACEN's Manual de Padrões para Iniciação
 * do Pix]. A code is a list of fields. Each has an id of two digits, a length of two digits, and a value.
 */

/** A code that names the key, and the amount if it is known. Any bank can show it; the receiver's bank isn't asked. */
export type StaticCode = {
  key: string;
  /** The name of the receiver, at most 25 characters of ASCII. */
  name: string;
  /** The receiver's city, at most 15 characters of ASCII. */
  city: string;
  /** A decimal string with two decimal places; absent if the payer enters the amount. */
  amount?: string;
  /** 1 to 25 letters and digits, which the receiver's bank reports with the payment; absent for none. */
  txid?: string;
};
/** A code for one charge at the receiver's bank. `location` is the address of the charge, without `https://`. */
export type DynamicCode = { location: string; name: string; city: string };

type Field = readonly [id: string, value: string];
const write = ([id, value]: Field): string => `${id}${String(value.length).padStart(2, '0')}${value}`;
const writeAll = (fields: readonly Field[]): string => fields.map(write).join('');

const scheme = 'br.gov.bcb.pix';
/** Stands for "no transaction id". */
const noTxid = '***';

/** Creates the text of a static code. @throws RangeError if a value is too long for its field */
export const staticCode = ({ key, name, city, amount, txid = noTxid }: StaticCode): string =>
  withChecksum([
    ['00', '01'],
    ['26', writeAll([field('00', scheme), field('01', key)])],
    ...receiver({ name, city, amount }),
    ['62', write(['05', txid])],
  ]);

/** Creates the text of a dynamic code. @throws RangeError if a value is too long for its field */
export const dynamicCode = ({ location, name, city }: DynamicCode): string =>
  withChecksum([
    ['00', '01'],
    ['01', '12'],
    ['26', writeAll([field('00', scheme), field('25', location)])],
    ...receiver({ name, city }),
    ['62', write(['05', noTxid])],
  ]);

const receiver = ({
  name,
  city,
  amount,
}: Pick<StaticCode, 'name' | 'city'> & { amount?: string | undefined }): Field[] => [
  ['52', '0000'],
  ['53', '986'],
  ...(amount === undefined ? [] : [field('54', amount)]),
  ['58', 'BR'],
  field('59', name),
  field('60', city),
];

function field(id: string, value: string): Field {
  if (value.length > 99) throw new RangeError(`field ${id} of a Pix code takes 99 characters, not ${value.length}`);
  return [id, value];
}

function withChecksum(fields: readonly Field[]): string {
  const text = `${writeAll(fields.map(([id, value]) => field(id, value)))}6304`;
  return text + checksumOf(text);
}

/** What a Pix code says. Fields that it lacks are null. */
export type BrCode = {
  /** `null` in a dynamic code. */
  key: string | null;
  location: string | null;
  amount: string | null;
  name: string | null;
  city: string | null;
  txid: string | null;
};

/**
 * Reads a Pix code. Returns null unless it is one, with the right checksum. Name, city and amount may be missing: not all banks
 * and shops write them.
 */
export function readBrCode(code: string): BrCode | null {
  const fields = readFields(code);
  const checked = code.slice(0, -4);
  if (!fields || !checked.endsWith('6304') || checksumOf(checked) !== code.slice(-4).toUpperCase()) return null;
  const account = readFields(fields.get('26') ?? '');
  if (account?.get('00')?.toLowerCase() !== scheme) return null;
  const txid = readFields(fields.get('62') ?? '')?.get('05') ?? null;
  return {
    key: account.get('01') ?? null,
    location: account.get('25') ?? null,
    amount: fields.get('54') ?? null,
    name: fields.get('59') ?? null,
    city: fields.get('60') ?? null,
    txid: txid === noTxid ? null : txid,
  };
}

/** Returns the values by their ids; null if the text isn't made of whole fields. */
function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const [, id = '', length = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const value = text.slice(at + 4, at + 4 + Number(length));
    if (id === '' || value.length !== Number(length)) return null;
    fields.set(id, value);
    at += 4 + value.length;
  }
  return fields;
}

/** Returns the CRC-16/CCITT-FALSE of an ASCII text: four upper-case hexadecimal digits. */
export function checksumOf(text: string): string {
  let crc = 0xffff;
  for (const character of text) {
    crc ^= (character.codePointAt(0) ?? 0) << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
