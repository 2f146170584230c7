import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';

let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
});
afterAll(() => auth.close());

const register = (email: string) => auth.call('POST', '/auth/register', { body: { name: 'Ilker', email, password } });
const signIn = async (email: string): Promise<string> =>
  codeOf(await auth.call('POST', '/auth/login', { body: { email, password } }));
const newName = (): string => `ilker-${randomUUID().slice(0, 8)}`;

test('an e-mail address can have only one account, however it is typed', async () => {
  const name = newName();
  expect((await register(`${name}@café.example`)).body).toMatchObject({ email: `${name}@xn--caf-dma.example` });

  const forms = [
    `${name.replace('i', 'İ')}@cafe\u0301.example`,
    `${name.toUpperCase()}@XN--CAF-DMA.example`,
    ` ${name.replace('i', 'ｉ')}@café.example`,
  ];
  for (const form of forms) expect([form, await signIn(form)]).toEqual([form, '200']);
  expect(codeOf(await register(`${name.replace('i', 'İ')}@xn--caf-dma.example`))).toBe('409 email_taken');
});

test('a user who registered in release 1.0.0 can still sign in with the same e-mail address', async () => {
  const name = newName();
  const stored = `${name}@café.example`;
  await register(stored);
  const users = auth.connection.collection('usuarios');
  await users.updateOne({ email: `${name}@xn--caf-dma.example` }, { $set: { email: stored } });

  expect(await signIn(stored.toUpperCase())).toBe('200');
  expect(codeOf(await register(stored.toUpperCase()))).toBe('409 email_taken');
});

test('an address with non-ASCII characters before the @ is rejected', async () => {
  const { status, body } = await register(`joão-${newName()}@example.com`);

  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ pointer: '/email', detail: expect.stringContaining('ASCII') }] },
  });
});
