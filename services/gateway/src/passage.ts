import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import type { Problem } from '@comanda/contracts/problems';
import type { Client } from '@comanda/shared/http/client-address';
import type { Observed } from '@comanda/shared/http/observe';
import type { Caller } from '@comanda/shared/http/token-verifier';

/** What is known of one request on its way through the gateway. */
export type Passage = {
  readonly observed: Observed;
  readonly client: Client;
  /** The gateway's own headers of the answer: name and value in turn, as `writeHead` takes them. */
  readonly headers: string[];
  endpoint: AnyEndpoint | null;
  caller: Caller | null;
  /** What to say when nobody serves the target. */
  refusal: Problem | null;
};
/** An answer with its passage, where Express has it. */
export type PassageResponse = ServerResponse & { locals: Passage };

export type PageRequest = Request<Record<string, string>, unknown, unknown, unknown, Passage>;
export type PageResponse = Response<unknown, Passage>;
export type PageStep = RequestHandler<Record<string, string>, unknown, unknown, unknown, Passage>;
