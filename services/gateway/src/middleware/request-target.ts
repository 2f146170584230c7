import type { IncomingMessage } from 'node:http';

/**
 * Returns the request target in origin form: `http://` and the host are removed if the host is the called host [RFC 9112, 3.2.2].
 * `path` is the target without its query. Any other target is returned unchanged and rejected later.
 */
export function readTarget({ url = '', headers: { host } }: IncomingMessage): { target: string; path: string } {
  const target = url.startsWith('/') ? url : withoutOrigin(url, `http://${host}/`);
  const queryStart = target.indexOf('?');
  return { target, path: queryStart < 0 ? target : target.slice(0, queryStart) };
}

const withoutOrigin = (url: string, origin: string): string =>
  url.slice(0, origin.length).toLowerCase() === origin.toLowerCase() ? url.slice(origin.length - 1) : url;
