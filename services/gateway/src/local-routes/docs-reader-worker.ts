import { parentPort } from 'node:worker_threads';
import plugin from '@scalar/fastify-api-reference';
import { cachedFile } from './static-file.ts';

/** The part of Fastify's API that the plugin needs. */
type Host = { route: (route: { url: string; handler: (request: null, reply: Reply) => unknown }) => void };
type Reply = { header: (name: string, value: string) => Reply; send: (content: string) => void };

/**
 * Reads Scalar's script. Only Scalar's Fastify plugin is published with the complete script and few dependencies, so this
 * function calls the plugin as Fastify would.
 */
function readScript(): string {
  let script = '';
  const reply: Reply = { header: () => reply, send: (content) => void (script = content) };
  const host: Host = {
    route: ({ url, handler }) => {
      if (url.endsWith('.js')) handler(null, reply);
    },
  };
  const register = plugin as unknown as (host: Host, options: object, done: () => void) => void;
  register(host, { routePrefix: '/docs', configuration: { url: '/openapi.json' } }, () => {});
  if (script === '') throw new Error('The package of the reader has no script.');
  // The source map is not served, so the reference to it is removed.
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage(cachedFile('text/javascript; charset=utf-8', readScript()));
