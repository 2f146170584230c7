import Joi from 'joi';
import { endpoint } from './endpoint.ts';
import { id, object, oneOf, text } from './schema.ts';

/** JSON that has a standard of its own. */
const document = (example: Record<string, unknown>) => Joi.object<Record<string, unknown>>().unknown().example(example);
const kept = ['ETag', 'Cache-Control', 'Vary'] as const;
const unchanged = { about: 'As `If-None-Match` has it', body: null, headers: kept };

export const getOpenApi = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/openapi.json',
  name: 'getOpenApi',
  who: 'anyone',
  summary: 'Every call, as OpenAPI 3.1',
  answers: {
    200: {
      about: 'The document',
      body: document({ openapi: '3.1.1', info: { title: 'Comanda', version: '1.0.0' }, paths: {} }),
      headers: kept,
    },
    304: unchanged,
  },
  problems: [],
});
export const getAsyncApi = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/asyncapi.json',
  name: 'getAsyncApi',
  who: 'anyone',
  summary: 'Every event and the live feed, as AsyncAPI 3.0',
  answers: {
    200: {
      about: 'The document',
      body: document({ asyncapi: '3.0.0', info: { title: 'Comanda live feed', version: '1.0.0' } }),
      headers: kept,
    },
    304: unchanged,
  },
  problems: [],
});
export const readDocs = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/docs',
  name: 'readDocs',
  who: 'anyone',
  summary: 'The page to read and try every call',
  answers: { 200: { about: 'The page', body: null, page: 'text/html', headers: kept }, 304: unchanged },
  problems: [],
});
export const getProblem = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/problems/{code}',
  name: 'getProblem',
  who: 'anyone',
  summary: 'What a problem means, and what to do about it: where `type` leads',
  params: { code: text(64).min(1).example('illegal_transition') },
  answers: {
    200: {
      about: 'As JSON, or as a page where `Accept` prefers `text/html`',
      body: object({
        type: text(100).example('/problems/illegal_transition'),
        code: text(64).example('illegal_transition'),
        status: id().example(409),
        title: text(100).example('Illegal status transition'),
        about: text(1000).example('`allowed_transitions` lists what you may do next.'),
        media_type: oneOf('application/problem+json'),
        example: document({ code: 'illegal_transition', status: 409 }).required(),
      }),
      page: 'text/html',
      headers: kept,
    },
    304: unchanged,
  },
  problems: ['not_found'],
});

export const apiDocs = [getOpenApi, getAsyncApi, readDocs, getProblem];
