import { IncomingMessage } from 'node:http';
import type { Client } from '@comanda/shared/http/client-address';
import type { RequestContext } from '@comanda/shared/http/request-context';
import { handshakeHeaders } from '../proxy/service-headers.ts';

type Options = { client: Client; context: RequestContext; network: string; onConnect: () => void };

/**
 * The WebSocket handshake for the notifier, as http-proxy-middleware takes it. It is built from scratch, so that no other header
 * of the client's handshake can reach the notifier.
 */
export class NotifierHandshake extends IncomingMessage {
  readonly context: RequestContext;
  /** The network for which the client is counted. */
  readonly network: string;
  /** Whether the client has a response: the notifier's or a problem. */
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
