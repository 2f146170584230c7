import { IncomingMessage } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import { handshakeHeaders } from '../proxy/service-headers.ts';

/**
 * The WebSocket handshake that the notifier gets, in the form that http-proxy-middleware takes. It is made anew, so that
 * no other header of the client's handshake can reach the notifier.
 */
export class NotifierHandshake extends IncomingMessage {
  readonly context: RequestContext;
  /** Whether the client has its answer: the notifier's, or a problem. */
  answered = false;

  constructor(req: IncomingMessage, { client, context }: { client: Client; context: RequestContext }) {
    super(req.socket);
    this.method = 'GET';
    this.url = req.url ?? '';
    this.headers = handshakeHeaders({ headers: req.headers, client, context });
    this.context = context;
  }
}
