import http from 'node:http';
import https from 'node:https';
import { json } from 'node:stream/consumers';

/**
 * Gets JSON from another service. Does not follow redirects. Node's `fetch` would need several megabytes more in each
 * process.
 * @throws for every status except 200, a body that is not JSON, a network error, and when `signal` is aborted
 */
export function getJson(url: string, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const { get } = url.startsWith('https:') ? https : http;
  const request = get(url, { signal }, (response) => {
    if (response.statusCode === 200) json(response).then(resolve, reject);
    else request.destroy(new Error(`${url} answered ${response.statusCode}`));
  });
  request.on('error', reject);
  return promise;
}
