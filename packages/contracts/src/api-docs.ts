import Joi from 'joi';
import { endpoint } from './endpoint.ts';
import { id, list, object, oneOf, text } from './schema.ts';

/** Creates a schema for JSON whose format is defined by another standard. */
const document = (example: Record<string, unknown>) => Joi.object<Record<string, unknown>>().unknown().example(example);
const cacheHeaders = ['ETag', 'Cache-Control', 'Vary'] as const;
const notModified = { about: 'Not changed since the version in `If-None-Match`', body: null, headers: cacheHeaders };

export const getOpenApi = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/openapi.json',
  name: 'getOpenApi',
  who: 'anyone',
  summary: 'Get the OpenAPI 3.1 document of all API calls',
  responses: {
    200: {
      about: 'The document',
      body: document({ openapi: '3.1.1', info: { title: 'Comanda', version: '1.0.0' }, paths: {} }),
      headers: cacheHeaders,
    },
    304: notModified,
  },
  problems: [],
});
export const getAsyncApi = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/asyncapi.json',
  name: 'getAsyncApi',
  who: 'anyone',
  summary: 'Get the AsyncAPI 3.0 document of all events and the live feed',
  responses: {
    200: {
      about: 'The document',
      body: document({ asyncapi: '3.0.0', info: { title: 'Comanda live feed', version: '1.0.0' } }),
      headers: cacheHeaders,
    },
    304: notModified,
  },
  problems: [],
});
export const readDocs = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/docs',
  name: 'readDocs',
  who: 'anyone',
  summary: 'Open the page that documents all API calls and lets you try them',
  responses: { 200: { about: 'The page', body: null, page: 'text/html', headers: cacheHeaders }, 304: notModified },
  problems: [],
});
export const getProblem = endpoint({
  service: 'gateway',
  method: 'GET',
  path: '/problems/{code}',
  name: 'getProblem',
  who: 'anyone',
  summary: 'Explain a problem and what to do about it; the `type` of a problem is this path',
  params: { code: text(64).min(1).example('illegal_transition') },
  responses: {
    200: {
      about: 'The explanation: JSON, or a page if `Accept` prefers `text/html`',
      body: object({
        type: text(100).example('/problems/illegal_transition'),
        code: text(64).example('illegal_transition'),
        status: id().example(409),
        title: text(100).example('Illegal status transition'),
        about: text(1000).example("The order or item can't change from its current status to this one."),
        next: text(1000).example('`allowed_transitions` lists the statuses allowed next.'),
        // Methods and paths of the calls that may return this problem; empty if only the gateway itself returns it.
        calls: list(text(200).example('PUT /orders/{id}')),
        media_type: oneOf('application/problem+json'),
        example: document({ code: 'illegal_transition', status: 409 }).required(),
      }),
      page: 'text/html',
      headers: cacheHeaders,
    },
    304: notModified,
  },
  problems: ['not_found'],
});

export const apiDocs = [getOpenApi, getAsyncApi, readDocs, getProblem];
