import type { Request, RequestHandler, Response } from 'express';
import type { AnyEndpoint } from '@comanda/shared/contracts/endpoint';
import type { Problem } from '@comanda/shared/contracts/problems';
import type { Client } from '@comanda/shared/http/client-address';
import type { Observed } from '@comanda/shared/http/observe';
import type { Caller } from '@comanda/shared/http/token-verifier';

/** What is known of one request on its way through the gateway; each step adds what it found out. */
export type Passage = {
  observed: Observed;
  client: Client;
  endpoint: AnyEndpoint;
  caller: Caller | null;
  /** Why the token that came was not taken. */
  tokenRefusal: Problem | null;
};
export type Step = RequestHandler<Record<string, string>, unknown, unknown, unknown, Passage>;
export type PassageRequest = Request<Record<string, string>, unknown, unknown, unknown, Passage>;
export type PassageResponse = Response<unknown, Passage>;
