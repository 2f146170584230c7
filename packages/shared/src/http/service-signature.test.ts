import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import {
  callerSecretsSettings,
  createSignatureCheck,
  serviceSecretSettings,
  signRequest,
  type ServiceIdentity,
} from './service-signature.ts';

const newSecret = (): string => randomBytes(32).toString('base64');
const [old, next, other] = [newSecret(), newSecret(), newSecret()];
const request = { method: 'POST', target: '/internal/things?a=1', body: Buffer.from('{"a":1}') };
const response = { status: 200, body: Buffer.from('{}') };
const transfers = (secret: string): ServiceIdentity => ({ name: 'transfers', secret });
const accepts = (callerSecrets: string, header: string, sent = request) =>
  createSignatureCheck(callerSecrets)({ ...sent, header });

describe('a signed request', () => {
  test('identifies its sender, and the signed response proves that the receiver has the secret', () => {
    const signed = signRequest(transfers(old), request);
    const verified = accepts(`orders:${other},transfers:${old}`, signed.header);

    expect(verified?.name).toBe('transfers');
    expect(signed.isGenuine({ ...response, header: verified?.sign(response) })).toBe(true);
    expect(signed.header).not.toContain(old);
  });

  test.each([
    ['the method', { ...request, method: 'PUT' }],
    ['the target', { ...request, target: '/internal/things?a=2' }],
    ['the body', { ...request, body: Buffer.from('{"a":2}') }],
  ])('is rejected if %s was changed', (_what, changed) => {
    expect(accepts(`transfers:${old}`, signRequest(transfers(old), request).header, changed)).toBeNull();
  });

  test.each([
    ['was signed with another secret', () => signRequest(transfers(other), request).header],
    ['has another name', () => signRequest(transfers(old), request).header.replace('transfers', 'orders')],
    ['has another nonce', () => signRequest(transfers(old), request).header.replace(/ ./, ' x')],
    ['is empty', () => ''],
    ['was cut off', () => signRequest(transfers(old), request).header.slice(0, -1)],
    ['has no MAC', () => 'transfers nonce '],
    ['was sent twice', () => [1, 2].map(() => signRequest(transfers(old), request).header).join(', ')],
  ])('is rejected if the header %s', (_what, header) => {
    expect(accepts(`transfers:${old},orders:${other}`, header())).toBeNull();
  });

  test("doesn't accept a response to another request, or one with another status, body or secret", () => {
    const [signed, another] = [signRequest(transfers(old), request), signRequest(transfers(old), request)];
    const sign = accepts(`transfers:${old}`, signed.header)?.sign;
    const genuine = sign?.(response);
    const byOther = accepts(`transfers:${other}`, signRequest(transfers(other), request).header)?.sign(response);

    expect(another.isGenuine({ ...response, header: genuine })).toBe(false);
    expect(signed.isGenuine({ ...response, status: 201, header: genuine })).toBe(false);
    expect(signed.isGenuine({ ...response, body: Buffer.from('[]'), header: genuine })).toBe(false);
    for (const header of [undefined, '', byOther, genuine?.slice(1), signed.header])
      expect(signed.isGenuine({ ...response, header })).toBe(false);
  });
});

test('no call fails while a secret is replaced step by step', () => {
  const steps = [
    { callers: `transfers:${old}`, sent: [old] },
    { callers: `transfers:${old},transfers:${next}`, sent: [old, next] }, // first, add the new secret on the service that accepts it
    { callers: `transfers:${next}`, sent: [next] }, // last, remove the old secret from the service that accepts it
  ];

  for (const { callers, sent } of steps)
    for (const secret of sent) {
      const signed = signRequest(transfers(secret), request);
      const verified = accepts(callers, signed.header);
      expect(signed.isGenuine({ ...response, header: verified?.sign(response) })).toBe(true);
    }
  expect(accepts(`transfers:${next}`, signRequest(transfers(old), request).header)).toBeNull();
});

describe('the settings for service secrets', () => {
  test.each([
    ['SERVICE_SECRET', randomBytes(31).toString('base64')],
    ['SERVICE_SECRET', `gateway:${old}`],
    ['SERVICE_SECRET', `${old},${next}`],
    ['CALLER_SECRETS', old],
    ['CALLER_SECRETS', `gateway:${randomBytes(31).toString('base64')}`],
    ['CALLER_SECRETS', `gateway:${old},`],
    ['CALLER_SECRETS', `gateway:${old}:x`],
  ])('reject %s with the value %s, with an error that shows the setting but not the value', (name, value) => {
    const env = { SERVICE_SECRET: old, CALLER_SECRETS: `gateway:${old},gateway:${next}`, [name]: value };
    const load = () => loadConfig({ ...serviceSecretSettings, ...callerSecretsSettings }, env);

    expect(load).toThrow(ConfigError);
    expect(load).toThrow(`${name}: has the wrong format`);
    expect(load).not.toThrow(value);
  });
});
