import type { IncomingMessage } from 'node:http';
import { feedIsWebSocketOnly } from '@comanda/contracts/feed';
import { problem } from '@comanda/contracts/problem';

/** The path of the live feed's WebSocket. */
export const feedPath = '/socket.io/';

/**
 * Returns true if a request is a WebSocket handshake at exactly the feed's path. Other requests to that path are treated like any
 * request.
 */
export const isFeedHandshake = ({ method, headers, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === feedPath;

/**
 * Checks the query parameters that Engine.IO reads. Engine.IO itself would reject them only after the WebSocket is open, with a
 * response that no client can read. `sid` asks to replace an existing socket, which clients that start with WebSocket don't need.
 * @throws 400 `upgrade_required`, `validation_failed`
 */
export function checkFeedQuery(query: URLSearchParams): void {
  if (query.getAll('transport').join() !== 'websocket')
    throw problem('upgrade_required', { detail: feedIsWebSocketOnly });
  if (query.getAll('EIO').join() !== '4')
    throw problem('validation_failed', {
      detail: 'Connect with Socket.IO 3 or newer.',
      errors: [{ pointer: '/EIO', detail: 'must be 4, the protocol of Socket.IO 3 and newer', in: 'query' }],
    });
  if (query.has('sid'))
    throw problem('validation_failed', { errors: [{ pointer: '/sid', detail: 'is not allowed', in: 'query' }] });
}
