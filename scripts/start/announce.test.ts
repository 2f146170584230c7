import { describe, expect, test } from '@jest/globals';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { announcement } from './announce.ts';

const url = 'http://192.168.0.5:3000';
const env = { PUBLIC_URL: url, NOTIFIER_PUBLIC_URL: 'http://192.168.0.5:3004' };
const settings = { 'auth-stepup': { env }, orders: { env }, transfers: { env }, notifier: { env }, gateway: { env } };
const common = {
  settings,
  bankUrl: 'http://127.0.0.1:3005',
  logsDir: '/logs',
  isTerminal: false,
  tableAddress: null,
  authorityFile: null,
  firstManager: 'exists',
} as const;

describe('the message once npm start is ready', () => {
  test('explains how to sign in to the demo', async () => {
    const text = await announcement({ ...common, start: { lan: false, given: {} }, signIns: publicSignIns });

    expect(text).toContain('sign in as the waiter');
    expect(text).toContain(publicSignIns.manager.password);
    expect(text).toContain('the data is kept for the next start');
    expect(text).not.toContain('no demo data');
  });

  test("contains the staff's addresses if they have their own host", async () => {
    const gateway = { env: { ...env, STAFF_URL: 'http://staff.localhost:3000' } };
    const start = { lan: false, given: {} };
    const text = await announcement({ ...common, settings: { ...settings, gateway }, start, signIns: publicSignIns });

    expect(text).toMatch(/ kitchen +http:\/\/staff\.localhost:3000\/kitchen /);
    expect(text).toMatch(/ tables +http:\/\/staff\.localhost:3000\/kitchen#\/manager\/tables /);
    expect(text).toContain(`API         ${url}/docs`);
  });

  test('contains an address for guests at a table if one is known', async () => {
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
  ])('explains how to create a manager if servers are given (%j)', async (given, why) => {
    const start = { lan: false, given };
    const text = await announcement({ ...common, start, signIns: null, firstManager: 'needed' });

    expect(text).toContain(`no demo data, because ${why}`);
    expect(text).toContain('npm run create-setup-code');
    expect(text).not.toMatch(/sign in as|is kept/);
  });

  test('contains the setup code for an empty restaurant', async () => {
    const instruction = `Open ${url}/kitchen and enter the setup code ABCD`;
    const start = { lan: false, given: {} };
    const text = await announcement({ ...common, start, signIns: null, firstManager: { instruction } });

    expect(text).toContain(`  no demo data\n  manager     ${instruction}\n`);
    expect(text).toContain('the data is kept for the next start');
  });

  test("doesn't mention a setup code once there is a manager", async () => {
    const text = await announcement({ ...common, start: { lan: false, given: {} }, signIns: null });

    expect(text).not.toMatch(/setup|manager {5}/);
  });

  test.each([
    [true, true],
    [false, false],
  ])('contains a QR code with --lan and a terminal (%p): %p', async (isTerminal, hasQrCode) => {
    const text = await announcement({
      ...common,
      isTerminal,
      start: { lan: true, given: {} },
      signIns: publicSignIns,
    });

    expect(/[▀▄█\u001B]/.test(text)).toBe(hasQrCode);
    expect(text.includes(`\n  ${url}\n`)).toBe(hasQrCode);
  });

  test('explains how a phone can trust the certificate for --lan', async () => {
    const start = { lan: true, given: {} };
    const text = await announcement({ ...common, start, signIns: publicSignIns, authorityFile: '/lan/authority.crt' });

    expect(text).toMatch(/phones +warn until they trust \/lan\/authority\.crt/);
    expect(text).not.toContain('plain HTTP');
  });

  test('warns that others can read passwords if --lan has no certificate', async () => {
    const text = await announcement({ ...common, start: { lan: true, given: {} }, signIns: publicSignIns });
    const here = await announcement({ ...common, start: { lan: false, given: {} }, signIns: publicSignIns });

    expect(text).toContain('over plain HTTP, everybody in this network can read passwords');
    expect(here).not.toMatch(/plain HTTP|phones/);
  });

  test("contains the table's address below the QR code", async () => {
    const start = { lan: true, given: {} };
    const tableAddress = `${url}/?t=12.code`;
    const text = await announcement({ ...common, isTerminal: true, start, signIns: publicSignIns, tableAddress });

    expect(text).toMatch(/[▀▄█][^]*\n {2}http:\/\/192\.168\.0\.5:3000\/\?t=12\.code\n$/);
  });
});
