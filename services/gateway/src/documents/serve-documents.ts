import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { apiDocs, getAsyncApi, getOpenApi, getProblem } from '@comanda/contracts/api-docs';
import { problem } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { asyncApi } from '@comanda/shared/api-docs/asyncapi';
import { openApi } from '@comanda/shared/api-docs/openapi';
import { createRouteTable } from '@comanda/shared/http/route-table';
import { makeFile, sendFile } from '../files/file.ts';
import type { File } from '../files/file.ts';
import type { PageStep } from '../passage.ts';
import { isProblemCode, problemFacts, problemPage } from './problem-page.ts';

const file = (type: string, content: string | Buffer): File => makeFile(type, content, 'public, max-age=300');
const json = (content: unknown): File => file('application/json; charset=utf-8', JSON.stringify(content));
const html = (content: string | Buffer): File => file('text/html; charset=utf-8', content);

const own = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../../public/${name}`, import.meta.url)));
const require = createRequire(import.meta.url);
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

type Addresses = { publicUrl: string; notifierPublicUrl: string };
/** Files that are the same for everybody, made once. */
const fileMakers = ({ publicUrl, notifierPublicUrl }: Addresses): Readonly<Record<string, () => File>> => ({
  [getOpenApi.path]: () => json(openApi(endpoints)),
  [getAsyncApi.path]: () => json(asyncApi({ gatewayUrl: publicUrl, notifierUrl: notifierPublicUrl })),
  '/docs': () => html(own('docs.html')),
  '/docs/docs.js': () => file(javascript, own('docs.js')),
  '/docs/docs.css': () => file(css, own('docs.css')),
  '/docs/swagger-ui-bundle.js': () =>
    file(javascript, readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  '/docs/swagger-ui.css': () => file(css, readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'))),
});

/**
 * The documents, made from the contracts that the gateway itself routes by, the page to try calls on with all that it
 * loads, and what each problem means: kept by caches for five minutes, then asked for again by `ETag`.
 */
export function createDocuments(addresses: Addresses): PageStep {
  const makers = fileMakers(addresses);
  const made = new Map<string, File>();
  const match = createRouteTable(apiDocs);

  function find(path: string): File | null {
    const wanted = made.get(path) ?? (Object.hasOwn(makers, path) ? makers[path]?.() : null) ?? null;
    if (wanted) made.set(path, wanted);
    return wanted;
  }

  const known = (path: string): File => {
    const found = find(path);
    if (!found) throw problem('not_found');
    return found;
  };

  // Made now: later it would hold up other requests for some 0.2 s.
  for (const { path } of [getOpenApi, getAsyncApi]) known(path);

  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const found = match(req.method, req.url);
    if (found.kind === 'endpoint') {
      const { endpoint, params, path } = found;
      res.locals.observed.route = `GET ${endpoint.path}`;
      if (endpoint.path !== getProblem.path) return sendFile(req, res, known(path));
      res.vary('Accept');
      return sendFile(req, res, aboutProblem(params['code'] ?? '', req.accepts('json', 'html')));
    }
    const asset = find(req.path);
    if (!asset) return next();
    res.locals.observed.route = 'GET /docs/*';
    return sendFile(req, res, asset);
  };
}

function aboutProblem(code: string, accepted: string | false): File {
  if (!isProblemCode(code)) throw problem('not_found');
  return accepted === 'html' ? html(problemPage(code)) : json(problemFacts(code));
}
