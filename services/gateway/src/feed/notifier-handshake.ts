import type { IncomingMessage } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import { handshakeHeaders } from '../proxy/service-headers.ts';
import { http } from '@comanda/shared/runtime/node-http';

type Options = { client: Client; context: RequestContext; network: string; onConnect: () => void };

/**
 * The WebSocket handshake sent to the notifier, in the form that http-proxy-middleware expects. It is built from scratch, so that
 * no other header from the client's handshake can reach the notifier.
 */
export class NotifierHandshake extends http.IncomingMessage {
  readonly context: RequestContext;
  /** The client's network, by which the socket is counted. */
  readonly network: string;
  /** True once the client has been sent a response: the notifier's own, or a problem. */
  answered = false;

  /** Called when the notifier has accepted the client. */
  readonly onConnect: () => void;

  constructor(req: IncomingMessage, { client, context, network, onConnect }: Options) {
    super(req.socket);
    this.method = 'GET';
    this.url = req.url ?? '';
    this.headers = handshakeHeaders({ headers: req.headers, client, context });
    this.context = context;
    this.network = network;
    this.onConnect = onConnect;
  }
}
