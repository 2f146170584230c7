import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@comanda/shared/config/load-config';
import { pixSettings, readBankSettings } from './pix-settings.ts';

const staff = { PIX_MODE: 'staff', PIX_KEY: 'ana@example.com', PIX_NAME: 'CANTINA DA ANA', PIX_CITY: 'SAO PAULO' };
const bank = {
  ...staff,
  PIX_MODE: 'bank',
  PIX_BANK_URL: 'https://bank.example.com/v2?gw-app-key=1',
  PIX_BANK_TOKEN_URL: 'https://bank.example.com/token',
  PIX_BANK_CLIENT_ID: 'comanda',
  PIX_BANK_CLIENT_SECRET: 'secret',
  PIX_BANK_CERT: 'cert',
  PIX_BANK_CERT_KEY: 'key',
};
type Case = { env: Record<string, string>; currency?: string; isProduction?: boolean };
const read = ({ env, currency = 'BRL', isProduction = true }: Case) =>
  readBankSettings({ ...loadConfig(pixSettings, env), currency }, { isProduction });
const errorOf = (given: Case): string => {
  try {
    read(given);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the settings for Pix', () => {
  test('are complete for each way', () => {
    expect(read({ env: {} })).toBeNull();
    expect(read({ env: staff })).toBeNull();
    expect(read({ env: bank })).toMatchObject({
      clientId: 'comanda',
      tokenAuth: 'basic',
      cert: 'cert',
      certKey: 'key',
    });
  });

  test('keep the bank if Pix is off, because codes are still out', () => {
    expect(read({ env: { ...bank, PIX_MODE: 'off' } })).not.toBeNull();
  });

  test('name everything that is missing', () => {
    const error = errorOf({ env: { PIX_MODE: 'bank' } });

    for (const name of ['PIX_KEY', 'PIX_NAME', 'PIX_CITY', 'PIX_BANK_URL', 'PIX_BANK_TOKEN_URL', 'PIX_BANK_CLIENT_ID'])
      expect(error).toContain(`${name}: is required with PIX_MODE=bank`);
  });

  test.each<[string, Case, string]>([
    ['another currency', { env: staff, currency: 'EUR' }, 'needs CURRENCY=BRL'],
    ['a key without its certificate', { env: { ...bank, PIX_BANK_CERT: '' } }, 'set both, or none'],
    ['plain HTTP', { env: { ...bank, PIX_BANK_URL: 'http://bank.example.com/v2' } }, 'must be https in production'],
    [
      'no certificate',
      { env: { ...bank, PIX_BANK_CERT: '', PIX_BANK_CERT_KEY: '' } },
      'PIX_BANK_CERT_FILE: is required',
    ],
  ])('are rejected in production with %s', (_what, given, message) => {
    expect(errorOf(given)).toContain(message);
  });

  test.each([
    ['PIX_NAME', 'CANTINA DO SEU JOSÉ'],
    ['PIX_NAME', 'A'.repeat(26)],
    ['PIX_CITY', 'A'.repeat(16)],
    ['PIX_MODE', 'on'],
    ['PIX_ASK_EVERY_S', '0'],
  ])('reject %s=%s', (name, value) => {
    expect(errorOf({ env: { ...staff, [name]: value } })).toContain(name);
  });
});
