import type { IncomingMessage } from 'node:http';
import Joi from 'joi';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { checkBodyHeaders, hasBody, readBody, readFileBody, readJsonBody } from './read-body.ts';
import { checkTokenForm } from './step-up.ts';
import { parseStrictJson } from './strict-json.ts';
import { pointerTo, validate } from './validate.ts';

/** `params`: the path's parameters. `bytes`: the body, if it was already read to check a service's signature. */
type Received = { params: Record<string, string>; bytes: Buffer | undefined };
export type InputReader = (req: IncomingMessage, received: Received) => ReturnType<typeof readInput>;
type Schemas = { params: Joi.ObjectSchema; query: Joi.ObjectSchema };

/** Returns a function that reads the input of a request to the endpoint and validates it against the contract. */
export function createInputReader(contract: AnyEndpoint): InputReader {
  const schemas = { params: Joi.object(contract.params ?? {}), query: Joi.object(contract.query ?? {}) };
  return (req, received) => readInput(req, { contract, schemas, ...received });
}

async function readInput(
  req: IncomingMessage,
  { contract, schemas, params: rawParams, bytes }: Received & { contract: AnyEndpoint; schemas: Schemas },
) {
  const params = contract.params ? validate(schemas.params, rawParams, 'path') : {};
  const query = validate(schemas.query, readQuery(req.url ?? ''), 'query');
  const idempotencyKey = contract.idempotencyKey ? readIdempotencyKey(req) : undefined;
  const isOmitted = contract.mayOmitBody && !hasBody(req);
  const readSent = (): unknown => (bytes ? parseStrictJson(bytes) : readJsonBody(req, contract));
  const body = contract.body ? validate(contract.body, isOmitted ? {} : await readSent()) : undefined;
  const { upload } = contract;
  const file = upload ? await readFileBody(req, { upload }) : undefined;
  const content = contract.anyBody && hasBody(req) ? await readAnyBody(req, contract) : null;
  const header = (name: string): string | undefined => req.headersDistinct[name.toLowerCase()]?.join(', ');
  // If a setting decides whether a token is required, its form is checked here. If a token is always required, it is checked
  // later, after the idempotency key.
  if (contract.stepUp?.demanded === 'by_setting') checkTokenForm(header('X-Step-Up-Token'));
  return { params, query, body, file, content, idempotencyKey, header };
}

/** @throws 413 `body_too_large` */
function readAnyBody(req: IncomingMessage, contract: AnyEndpoint): Promise<Buffer> {
  checkBodyHeaders(req, contract);
  return readBody(req, contract);
}

function readQuery(target: string): Record<string, string> {
  const queryStart = target.indexOf('?');
  const entries = [...new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart))];
  const query = new Map<string, string>();
  for (const [name, value] of entries) {
    const detail = query.has(name) ? 'must be given only once' : name === '__proto__' ? 'is not allowed' : null;
    if (detail) throw problem('validation_failed', { errors: [{ pointer: pointerTo(name), detail, in: 'query' }] });
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

const keyForm = /^[\u0021-\u007e]{1,128}$/;
function readIdempotencyKey(req: IncomingMessage): string | undefined {
  const sent = req.headersDistinct['idempotency-key'];
  if (!sent) return undefined;
  const [key = ''] = sent;
  if (sent.length > 1 || !keyForm.test(key))
    throw problem('validation_failed', {
      errors: [
        {
          pointer: '/Idempotency-Key',
          detail: 'must be sent only once, with 1 to 128 visible ASCII characters',
          in: 'header',
        },
      ],
    });
  return key;
}
