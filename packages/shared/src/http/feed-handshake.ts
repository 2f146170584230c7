import type { IncomingMessage } from 'node:http';
import { feedIsWebSocketOnly } from '@comanda/contracts/feed';
import { problem } from '@comanda/contracts/problem';

/** Where clients open the WebSocket of the live feed. */
export const feedPath = '/socket.io/';

/** Whether it is a WebSocket handshake at the path of the feed itself. Anything else there is an ordinary request. */
export const isFeedHandshake = ({ method, headers, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === feedPath;

/**
 * Checks what Engine.IO reads of the query. It would refuse the rest on a WebSocket that is open by then, in bytes that no
 * client can read. `sid` names a socket that another one is to replace, which nobody needs who begins with WebSocket.
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
