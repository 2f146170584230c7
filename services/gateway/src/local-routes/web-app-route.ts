import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { problem } from '@comanda/contracts/problem';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { GatewayConfig } from '../config.ts';
import type { RedirectElsewhere } from './app-hosts.ts';
import type { LocalRoute } from './local-routes.ts';
import { createStaticFile, sendStaticFile, type StaticFile } from './static-file.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** The `Cache-Control` for files under `assets/`, whose names contain a hash of their content. */
const cacheForever = 'public, max-age=31536000, immutable';
const revalidate = 'no-cache';

type Config = Pick<GatewayConfig, 'tableAppFolder' | 'kitchenAppFolder' | 'notifierPublicUrl'>;
type Deps = { redirectElsewhere: RedirectElsewhere; logger: Logger };

/**
 * Serves the guests' app at `/`, the staff app at `/kitchen`, and a `config.json` for each app. `config.json` contains the build
 * number and, for the staff app, the notifier's address. The files are loaded once, when the gateway starts. Any other path
 * gets a 404.
 */
export function createWebAppRoute(config: Config, { redirectElsewhere, logger }: Deps): LocalRoute {
  const files = new Map<string, StaticFile>();
  const tableBuild = readApp(files, { folder: config.tableAppFolder, mountPath: '', logger });
  const kitchenBuild = readApp(files, { folder: config.kitchenAppFolder, mountPath: '/kitchen', logger });
  const settings = (content: object): StaticFile =>
    createStaticFile('application/json; charset=utf-8', JSON.stringify(content), revalidate);
  if (tableBuild !== null) files.set('/config.json', settings({ build: tableBuild }));
  files.set('/kitchen/config.json', settings({ notifier_url: config.notifierPublicUrl, build: kitchenBuild ?? '' }));

  return (call) => {
    const { state, req, res } = call;
    if (state.path === '/kitchen/' && files.has('/kitchen')) {
      state.observed.route = 'GET web app';
      res.writeHead(308, { Location: '/kitchen' }).end(); // for people who type a slash at the end
      return true;
    }
    const file = files.get(state.path);
    if (!file) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') throw problem('method_not_allowed', {}, { Allow: 'GET, HEAD' });
    state.observed.route = 'GET web app';
    if (redirectElsewhere(call, isOfKitchen(state.path) ? 'staff' : 'guests')) return true;
    // Without this header, a service worker controls only pages below its folder, but the staff app's page is at `/kitchen`.
    if (state.path === '/kitchen/sw.js') res.setHeader('Service-Worker-Allowed', '/kitchen');
    sendStaticFile(call, file);
    return true;
  };
}

const isOfKitchen = (path: string): boolean => path === '/kitchen' || path.startsWith('/kitchen/');

type WebApp = { folder: string; mountPath: string; logger: Logger };

/** Loads an app's files and returns the app's build number, or an empty string if it has none; null if there is no app. */
function readApp(files: Map<string, StaticFile>, { folder, mountPath, logger }: WebApp): string | null {
  if (folder === '') return null;
  const startPath = mountPath === '' ? '/' : mountPath;
  const index = join(folder, 'index.html');
  if (!existsSync(index)) {
    logger.warn({ folder, at: startPath }, 'this folder has no built web app');
    return null;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    const cacheControl = name.startsWith('assets/') ? cacheForever : revalidate;
    const brotli = existsSync(`${path}.br`) ? { brotli: readFileSync(`${path}.br`) } : {};
    files.set(`${mountPath}/${name}`, { ...createStaticFile(type, readFileSync(path), cacheControl), ...brotli });
  }
  const page = readFileSync(index, 'utf8');
  files.set(startPath, createStaticFile('text/html; charset=utf-8', page, revalidate));
  return /<meta name="build" content="([^"]*)"/.exec(page)?.[1] ?? '';
}
