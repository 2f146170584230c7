import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { apiDocs, getAsyncApi, getOpenApi, getProblem } from '@comanda/contracts/api-docs';
import { problem } from '@comanda/contracts/problem';
import { endpoints } from '@comanda/contracts/registry';
import { asyncApi } from '@comanda/shared/api-docs/asyncapi';
import { openApi } from '@comanda/shared/api-docs/openapi';
import { createRouteTable } from '@comanda/shared/http/route-table';
import type { LocalRoute } from './local-routes.ts';
import { isProblemCode, problemFacts, problemPage } from './problem-page.ts';
import { createStaticFile, sendStaticFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';

const cachedFile = (type: string, content: string | Buffer): StaticFile =>
  createStaticFile(type, content, 'public, max-age=300');
const json = (content: unknown): StaticFile => cachedFile('application/json; charset=utf-8', JSON.stringify(content));
const html = (content: string | Buffer): StaticFile => cachedFile('text/html; charset=utf-8', content);
const javascript = (content: Buffer): StaticFile => cachedFile('text/javascript; charset=utf-8', content);
const css = (content: Buffer): StaticFile => cachedFile('text/css; charset=utf-8', content);

const require = createRequire(import.meta.url);
const readPublic = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../public/${name}`, import.meta.url)));
const readSwaggerUi = (name: string): Buffer => readFileSync(require.resolve(`swagger-ui-dist/${name}`));

type Addresses = { publicUrl: string; notifierPublicUrl: string };

/** How to make each file. */
const fileMakers = ({ publicUrl, notifierPublicUrl }: Addresses): Readonly<Record<string, () => StaticFile>> => ({
  [getOpenApi.path]: () => json(openApi(endpoints)),
  [getAsyncApi.path]: () => json(asyncApi({ gatewayUrl: publicUrl, notifierUrl: notifierPublicUrl })),
  '/docs': () => html(readPublic('docs.html')),
  '/docs/docs.js': () => javascript(readPublic('docs.js')),
  '/docs/docs.css': () => css(readPublic('docs.css')),
  '/docs/swagger-ui-bundle.js': () => javascript(readSwaggerUi('swagger-ui-bundle.js')),
  '/docs/swagger-ui.css': () => css(readSwaggerUi('swagger-ui.css')),
});

/**
 * Serves the OpenAPI and AsyncAPI documents, the Swagger UI page with its files, and a page for each problem code. The
 * documents are made from the contracts that the gateway itself routes by. Caches keep them for five minutes.
 */
export function createApiDocsRoute(addresses: Addresses): LocalRoute {
  const makers = fileMakers(addresses);
  const files = new Map<string, StaticFile>();
  const matchRoute = createRouteTable(apiDocs);

  function findFile(path: string): StaticFile | null {
    const file = files.get(path) ?? (Object.hasOwn(makers, path) ? makers[path]?.() : null) ?? null;
    if (file) files.set(path, file);
    return file;
  }

  function getFile(path: string): StaticFile {
    const file = findFile(path);
    if (!file) throw problem('not_found');
    return file;
  }

  // Made at the start: this takes about 0.2 s, in which no other request would be answered.
  for (const { path } of [getOpenApi, getAsyncApi]) getFile(path);

  return (call) => {
    const { state, req, res } = call;
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const route = matchRoute(req.method, state.target);
    if (route.kind === 'endpoint') {
      const { endpoint, params, path } = route;
      state.observed.route = `GET ${endpoint.path}`;
      if (endpoint.path === getProblem.path) {
        res.vary('Accept');
        sendStaticFile(call, problemFile(params['code'] ?? '', req.accepts('json', 'html')));
      } else sendStaticFile(call, getFile(path));
      return true;
    }
    const file = findFile(state.path);
    if (!file) return false;
    state.observed.route = 'GET /docs/*';
    sendStaticFile(call, file);
    return true;
  };
}

function problemFile(code: string, accepted: string | false): StaticFile {
  if (!isProblemCode(code)) throw problem('not_found');
  return accepted === 'html' ? html(problemPage(code)) : json(problemFacts(code));
}
