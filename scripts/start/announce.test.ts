import { describe, expect, test } from '@jest/globals';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { announcement } from './announce.ts';

const url = 'http://192.168.0.5:3000';
const env = { PUBLIC_URL: url, NOTIFIER_PUBLIC_URL: 'http://192.168.0.5:3004' };
const settings = { 'auth-stepup': { env }, orders: { env }, transfers: { env }, notifier: { env }, gateway: { env } };
const common = { settings, logsDir: '/logs', isTerminal: false, tableAddress: null, authorityFile: null };

describe('what npm start prints when it is ready', () => {
  test('when there is demo data, then it says how to sign in and that the data is kept', async () => {
    const text = await announcement({ ...common, start: { lan: false, given: {} }, signIns: publicSignIns });

    expect(text).toContain('sign in as the waiter');
    expect(text).toContain(publicSignIns.manager.password);
    expect(text).toContain('the data is kept for the next start');
    expect(text).not.toContain('no demo data');
  });

  test('when the staff have a host of their own, then their addresses are there', async () => {
    const gateway = { env: { ...env, STAFF_URL: 'http://staff.localhost:3000' } };
    const start = { lan: false, given: {} };
    const text = await announcement({ ...common, settings: { ...settings, gateway }, start, signIns: publicSignIns });

    expect(text).toMatch(/ kitchen +http:\/\/staff\.localhost:3000\/kitchen /);
    expect(text).toMatch(/ tables +http:\/\/staff\.localhost:3000\/kitchen#\/manager\/tables /);
    expect(text).toContain(`API         ${url}/docs`);
  });

  test('when the address of a table is known, then a guest can open it', async () => {
    const start = { lan: false, given: {} };
    const tableAddress = `${url}/?table=12.code`;
    const text = await announcement({ ...common, start, signIns: publicSignIns, tableAddress });

    expect(text).toContain(`table 12    ${tableAddress}\n`);
  });

  test.each([
    [{ mongodb: 'mongodb://db' }, 'MONGODB_URI is set'],
    [
      { mongodb: 'mongodb://db', redis: 'redis://r', rabbitmq: 'amqp://q' },
      'MONGODB_URI, REDIS_URL and RABBITMQ_URL are set',
    ],
  ])(
    'when servers are given (%j), then it says why there is no demo data and how to create a user',
    async (given, why) => {
      const text = await announcement({ ...common, start: { lan: false, given }, signIns: null });

      expect(text).toContain(`no demo data, because ${why}`);
      expect(text).toContain('npm run create-manager');
      expect(text).not.toMatch(/sign in as|is kept/);
    },
  );

  test.each([
    [true, true],
    [false, false],
  ])('when --lan is given and a terminal reads it: %p, then there is a QR code: %p', async (isTerminal, hasQrCode) => {
    const text = await announcement({
      ...common,
      isTerminal,
      start: { lan: true, given: {} },
      signIns: publicSignIns,
    });

    expect(/[▀▄█\u001B]/.test(text)).toBe(hasQrCode);
    expect(text.includes(`\n  ${url}\n`)).toBe(hasQrCode);
  });

  test('when --lan has a certificate, then it says how a phone trusts it', async () => {
    const start = { lan: true, given: {} };
    const text = await announcement({ ...common, start, signIns: publicSignIns, authorityFile: '/lan/authority.crt' });

    expect(text).toMatch(/phones +warn until they trust \/lan\/authority\.crt/);
    expect(text).not.toContain('plain HTTP');
  });

  test('when --lan has no certificate, then it says what can be read; without --lan, it says nothing of it', async () => {
    const text = await announcement({ ...common, start: { lan: true, given: {} }, signIns: publicSignIns });
    const here = await announcement({ ...common, start: { lan: false, given: {} }, signIns: publicSignIns });

    expect(text).toContain('over plain HTTP, everybody in this network can read passwords');
    expect(here).not.toMatch(/plain HTTP|phones/);
  });

  test('when --lan is given and the address of a table is known, then it stands below the QR code', async () => {
    const start = { lan: true, given: {} };
    const tableAddress = `${url}/?t=12.code`;
    const text = await announcement({ ...common, isTerminal: true, start, signIns: publicSignIns, tableAddress });

    expect(text).toMatch(/[▀▄█][^]*\n {2}http:\/\/192\.168\.0\.5:3000\/\?t=12\.code\n$/);
  });
});
