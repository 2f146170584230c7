import http from 'node:http';
import https from 'node:https';
import { json } from 'node:stream/consumers';

/**
 * What another service says at `url`. Follows no redirection. Node's `fetch` would do, at several megabytes of every
 * process.
 * @throws for every status but 200, for what is not JSON, and for whatever goes wrong on the way, `signal` among it
 */
export function getJson(url: string, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const { get } = url.startsWith('https:') ? https : http;
  const asked = get(url, { signal }, (answer) => {
    if (answer.statusCode === 200) json(answer).then(resolve, reject);
    else asked.destroy(new Error(`${url} answered ${answer.statusCode}`));
  });
  asked.on('error', reject);
  return promise;
}
