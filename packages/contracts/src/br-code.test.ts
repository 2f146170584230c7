import { describe, expect, test } from '@jest/globals';
import { checksumOf, dynamicCode, readBrCode, staticCode } from './br-code.ts';

/** Public test vectors of Odoo's `l10n_br`. They have no city. */
const vectors = [
  {
    code: '00020101021226580014br.gov.bcb.pix013671d6c6e1-64ea-4a11-9560-a10870c40ca2520400005303986540512.305802BR5914COMPANY_1_DATA62150511NFeTEST000163044CCF',
    amount: '12.30',
    txid: 'NFeTEST0001',
  },
  {
    code: '00020101021226580014br.gov.bcb.pix013671d6c6e1-64ea-4a11-9560-a10870c40ca2520400005303986540512.305802BR5914COMPANY_1_DATA62070503***6304B27F',
    amount: '12.30',
    txid: null,
  },
  {
    code: '00020101021226580014br.gov.bcb.pix013671d6c6e1-64ea-4a11-9560-a10870c40ca25204000053039865802BR5914COMPANY_1_DATA62070503***63044FC8',
    amount: null,
    txid: null,
  },
];
const key = '71d6c6e1-64ea-4a11-9560-a10870c40ca2';

describe('a Pix code', () => {
  test.each(vectors)('of another program is read: $code', ({ code, amount, txid }) => {
    expect(readBrCode(code)).toEqual({ key, location: null, amount, name: 'COMPANY_1_DATA', city: null, txid });
  });

  test.each(vectors)('has the checksum that other programs compute: $code', ({ code }) => {
    expect(checksumOf(code.slice(0, -4))).toBe(code.slice(-4));
  });

  test('has a checksum of four digits, even if the first is zero', () => {
    // A public code that banks rejected, because its shop wrote `EA9` [wdev-qrcode-pix-php#5].
    const text =
      '00020126730014br.gov.bcb.pix0136e57b119f-3f91-4734-93f0-29d6a9c02b0a0211CestaLivres520400005303986540522.005802BR5913Milena Savini6009Sao Paulo622605221wDQuczihqxiuSkkkLu0aS6304';

    expect(checksumOf(text)).toBe('0EA9');
    expect(readBrCode(`${text}0EA9`)).toMatchObject({ amount: '22.00', txid: '1wDQuczihqxiuSkkkLu0aS' });
    expect(readBrCode(`${text}EA9`)).toBeNull();
  });

  test('with a key and an amount has these fields in this order', () => {
    const code = staticCode({
      key,
      name: 'Cantina da Ana',
      city: 'SAO PAULO',
      amount: '110.00',
      txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
    });

    expect(code).toBe(
      `00020126580014br.gov.bcb.pix0136${key}5204000053039865406110.00` +
        '5802BR5914Cantina da Ana6009SAO PAULO62290525A1b2C3d4E5f6G7h8I9j0K1l2M6304' +
        checksumOf(code.slice(0, -4)),
    );
    expect(readBrCode(code)).toEqual({
      key,
      location: null,
      amount: '110.00',
      name: 'Cantina da Ana',
      city: 'SAO PAULO',
      txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
    });
  });

  test('of a charge at a bank names its address, and no amount', () => {
    const location = 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25';
    const code = dynamicCode({ location, name: 'Cantina da Ana', city: 'SAO PAULO' });

    expect(code.startsWith('000201010212267600')).toBe(true);
    expect(code).toContain('62070503***6304');
    expect(readBrCode(code)).toEqual({
      key: null,
      location,
      amount: null,
      name: 'Cantina da Ana',
      city: 'SAO PAULO',
      txid: null,
    });
  });

  test.each([
    ['a changed digit', (code: string) => code.replace('12.30', '12.31')],
    ['a lost end', (code: string) => code.slice(0, -1)],
    ['another scheme', (code: string) => code.replace('br.gov.bcb.pix', 'br.gov.bcb.xip')],
    ['no fields', () => 'https://example.com'],
    ['nothing', () => ''],
  ])('with %s is not read', (_what, change) => {
    expect(readBrCode(change(vectors[0]?.code ?? ''))).toBeNull();
  });

  test('whose key has more than 99 characters is not written', () => {
    expect(() => staticCode({ key: 'k'.repeat(100), name: 'A', city: 'B' })).toThrow(RangeError);
  });
});
