import Joi from 'joi';
import { endpoint } from './endpoint.ts';
import { component } from './schema.ts';

export const jwks = component(
  'Jwks',
  Joi.object<{ keys: object[] }>({ keys: Joi.array().items(Joi.object().unknown()).required() })
    .required()
    .example({ keys: [{ kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '1', use: 'sig', alg: 'ES256' }] }),
);
export const getJwks = endpoint({
  service: 'auth-stepup',
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'jwks',
  who: 'anyone',
  summary: 'Get the public keys that verify tokens and receipts [RFC 7517]',
  responses: { 200: { about: 'The keys; they may be cached for 300 seconds', body: jwks, headers: ['Cache-Control'] } },
  problems: [],
});

export const keys = [getJwks];
