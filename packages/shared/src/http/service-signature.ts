import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import Joi from 'joi';
import type { ServiceName } from '@comanda/contracts/endpoint';
import { secretSetting } from '../config/load-config.ts';

/** A service in this installation, and the secret with which it proves its identity. The secret itself is never sent. */
export type ServiceIdentity = { name: ServiceName; secret: string };

/** The header of a signed request and of its response. */
export const signatureHeader = 'X-Service-Signature';

const minSecretBytes = 32;
const base64Form = /^[A-Za-z0-9+/_-]+={0,2}$/;
const isSecret = (text: string): boolean =>
  base64Form.test(text) && Buffer.from(text, 'base64').length >= minSecretBytes;

/** The setting for a service that calls other services. */
export const serviceSecretSettings = {
  serviceSecret: secretSetting(
    'SERVICE_SECRET',
    Joi.string()
      .custom((value: string, rule) => (isSecret(value) ? value : rule.error('any.invalid')))
      .required(),
    'Proves to other services which service this is: base64 of 32 random bytes (`openssl rand -base64 32`)',
  ),
};
/** The setting for a service that other services call. */
export const callerSecretsSettings = {
  callerSecrets: secretSetting(
    'CALLER_SECRETS',
    Joi.string()
      .custom((value: string, rule) => (value.split(',').every(isEntry) ? value : rule.error('any.invalid')))
      .required(),
    '`SERVICE_SECRET` of each service that may call this one: `name:base64`, separated by commas. While you replace a secret, list its name twice. auth-stepup lists all other services, orders lists auth-stepup and transfers, and transfers lists auth-stepup',
  ),
};
function isEntry(entry: string): boolean {
  const [name = '', secret = '', ...rest] = entry.split(':');
  return rest.length === 0 && /^[a-z-]{1,32}$/.test(name) && isSecret(secret);
}

type Request = { method: string; target: string; body: Uint8Array };
type HttpResponse = { status: number; body: Uint8Array };
/**
 * A signed request: the value of its signature header, and a function that checks whether a response is from a service with the
 * same secret.
 */
export type SignedRequest = {
  header: string;
  isGenuine: (response: HttpResponse & { header: string | undefined }) => boolean;
};
/** A verified request: its sender's name, and a function that returns the signature header for the response. */
export type VerifiedRequest = { name: string; sign: (response: HttpResponse) => string };

/** The form of the signature header: the sender's name, a nonce, and the MAC in base64url. */
const headerForm = /^([a-z-]{1,32}) ([A-Za-z0-9-]{1,64}) ([A-Za-z0-9_-]{43})$/;

const macOf = (secret: Buffer, { label, body }: { label: readonly string[]; body: Uint8Array }): Buffer =>
  createHmac('sha256', secret)
    .update(`${label.join('\n')}\n`)
    .update(body)
    .digest();
const requestMac = (
  secret: Buffer,
  { method, target, body }: Request,
  sender: { name: string; nonce: string },
): Buffer => macOf(secret, { label: ['comanda request', sender.name, sender.nonce, method, target], body });
/**
 * Computes the MAC for a response. It includes the request's MAC, and thereby the request's nonce, so a response to another
 * request does not match.
 */
const responseMac = (secret: Buffer, request: Buffer, { status, body }: HttpResponse): Buffer =>
  macOf(secret, { label: ['comanda answer', request.toString('base64url'), String(status)], body });
const isEqual = (mac: Buffer, sent: string): boolean => {
  const bytes = Buffer.from(sent, 'base64url');
  return bytes.length === mac.length && timingSafeEqual(bytes, mac);
};

/** Signs a request with HMAC-SHA-256 over the sender, a nonce, the method, the target and the body. */
export function signRequest({ name, secret }: ServiceIdentity, request: Request): SignedRequest {
  const key = Buffer.from(secret, 'base64');
  const nonce = randomUUID();
  const mac = requestMac(key, request, { name, nonce });
  return {
    header: `${name} ${nonce} ${mac.toString('base64url')}`,
    isGenuine: ({ header, ...response }) => header !== undefined && isEqual(responseMac(key, mac, response), header),
  };
}

/**
 * Returns a function that finds out which service signed a request; its result is null if none did. `callerSecrets` contains
 * `name:base64` entries, separated by commas. A name may occur more than once, and each of its secrets is accepted.
 */
export function createSignatureCheck(
  callerSecrets: string,
): (request: Request & { header: string | undefined }) => VerifiedRequest | null {
  const callers = callerSecrets.split(',').map((entry) => {
    const [name = '', secret = ''] = entry.split(':');
    return { name, secret: Buffer.from(secret, 'base64') };
  });
  return ({ header = '', ...request }) => {
    const [, sender = '', nonce = '', sent = ''] = headerForm.exec(header) ?? [];
    for (const { name, secret } of callers) {
      if (name !== sender) continue;
      const mac = requestMac(secret, request, { name, nonce });
      if (isEqual(mac, sent))
        return { name, sign: (response) => responseMac(secret, mac, response).toString('base64url') };
    }
    return null;
  };
}
