import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { problem } from '@comanda/contracts/problems';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { GatewayConfig } from '../config.ts';
import type { PageStep } from '../passage.ts';
import { makeFile, sendFile } from './file.ts';
import type { File } from './file.ts';

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
/** Files under `assets/` have a hash of their content in their names. */
const forEver = 'public, max-age=31536000, immutable';
const askAgain = 'no-cache';

type Config = Pick<GatewayConfig, 'tableAppFolder' | 'kitchenAppFolder' | 'notifierPublicUrl'>;

/**
 * The table app at `/` and the kitchen app at `/kitchen`, as they were built when the gateway started, and what the
 * kitchen app must know at `/kitchen/config.json`. There is a path for each file and no other.
 */
export function createWebApps(config: Config, logger: Logger): PageStep {
  const files = new Map<string, File>();
  readApp(files, { folder: config.tableAppFolder, mount: '', logger });
  readApp(files, { folder: config.kitchenAppFolder, mount: '/kitchen', logger });
  const known = JSON.stringify({ notifier_url: config.notifierPublicUrl });
  files.set('/kitchen/config.json', makeFile('application/json; charset=utf-8', known, askAgain));

  return (req, res, next) => {
    const file = files.get(req.path);
    if (!file) return next();
    if (req.method !== 'GET' && req.method !== 'HEAD') throw problem('method_not_allowed', {}, { Allow: 'GET, HEAD' });
    res.locals.observed.route = 'GET web app';
    sendFile(req, res, file);
  };
}

function readApp(files: Map<string, File>, app: { folder: string; mount: string; logger: Logger }): void {
  const { folder, mount } = app;
  if (folder === '') return;
  const index = join(folder, 'index.html');
  if (!existsSync(index)) {
    app.logger.warn({ folder, at: mount === '' ? '/' : mount }, 'there is no built app in this folder');
    return;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    const cacheControl = name.startsWith('assets/') ? forEver : askAgain;
    files.set(`${mount}/${name}`, makeFile(type, readFileSync(path), cacheControl));
  }
  files.set(mount === '' ? '/' : mount, makeFile('text/html; charset=utf-8', readFileSync(index), askAgain));
}
