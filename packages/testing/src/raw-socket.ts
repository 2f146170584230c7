import { connect, type Socket } from 'node:net';

export type RawResponse = {
  status: number;
  /** The response's headers, keyed by lower-case name. If a header is repeated, this contains its last value. */
  headers: Record<string, string>;
  body: string;
  /** All received bytes as text. A test may expect several responses. */
  text: string;
  /**
   * How the response ended. With `complete`, the response has its full length or its last chunk. With `closed` or `reset`, the
   * server closed the connection before that. With `silent`, nothing more came in time.
   */
  end: 'complete' | 'closed' | 'reset' | 'silent';
};
type Options = {
  /** Continues to read after a complete response, until the server closes the connection. */
  until?: 'close';
  timeoutMs?: number;
  /** Called with the socket after the request was sent, for example to write more or to close it. */
  afterwards?: (socket: Socket) => void;
};

/** Sends exactly these bytes to the HTTP server at `url` and returns the response. Both are converted as latin1. */
export function rawCall(url: string, bytes: string, options: Options = {}): Promise<RawResponse> {
  const { port, hostname } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<RawResponse>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(bytes, 'latin1');
    options.afterwards?.(socket);
  });
  let text = '';
  const finish = (end: RawResponse['end']): void => {
    clearTimeout(timer);
    socket.destroy();
    resolve({ ...parse(text), text, end });
  };
  const timer = setTimeout(() => finish('silent'), options.timeoutMs ?? 5000);
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (options.until !== 'close' && isComplete(text)) finish('complete');
  });
  socket.on('end', () => finish(isComplete(text) ? 'complete' : 'closed'));
  socket.on('error', () => finish(isComplete(text) ? 'complete' : 'reset'));
  return promise;
}

function parse(text: string): Pick<RawResponse, 'status' | 'headers' | 'body'> {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = (end < 0 ? text : text.slice(0, end)).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: end < 0 ? '' : text.slice(end + 4) };
}

function isComplete(text: string): boolean {
  if (!text.includes('\r\n\r\n')) return false;
  const { headers, body, status } = parse(text);
  if (status === 204 || status === 304) return true;
  if (headers['transfer-encoding'] === 'chunked') return /(^|\r\n)0\r\n\r\n$/.test(body);
  return headers['content-length'] !== undefined && body.length >= Number(headers['content-length']);
}
