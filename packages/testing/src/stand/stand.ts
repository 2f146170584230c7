import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page, ViewportSize } from 'playwright-core';
import type { CloudEvent } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { FeedStanding, Who } from '../../../client/src/client.ts';
import { startBrowser, throwErrors, watchErrors } from '../browser.ts';
import { builtStand } from '../built-apps.ts';
import { storePicture } from '../store-picture.ts';
import type { Remote } from './fake-client.ts';
import type { MadeCall, State } from './state.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** How to display the page. By default on a 360 × 640 phone, in English, with a light theme and without motion. */
export type StandLook = {
  viewport?: ViewportSize;
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
  language?: 'en' | 'pt-BR';
};
export type Stand = Awaited<ReturnType<typeof openStand>>;

/**
 * Opens a web app in a real browser, starting with `main.tsx`. Its client has no server, and responds with data. A single page
 * shows one state after the other.
 */
export async function openStand(app: 'guest' | 'staff') {
  const folders = await builtStand();
  const base = app === 'staff' ? '/kitchen' : '';
  let script = '';
  const { KITCHEN_APP_FOLDER: staff, TABLE_APP_FOLDER: guest } = folders;
  const server = serve({ folder: app === 'staff' ? staff : guest, base, rest: guest }, () => script);
  server.listen(0, '127.0.0.1');
  const [browser] = await Promise.all([startBrowser(), once(server, 'listening')]);
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block' });
  watchErrors(context);
  const page = await context.newPage();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let shown = 0;
  const remote = (name: Exclude<keyof Remote, 'calls'>, argument: unknown): Promise<void> =>
    page.evaluate(([act, given]) => (globalThis.standRemote[act as 'emit'] as (each: unknown) => void)(given), [
      name,
      argument,
    ] as const);
  return {
    page,
    origin,
    /** Loads the page in this state, at a path such as `#/review`. */
    show: async (state: State, path = '#/', look: StandLook = {}): Promise<Page> => {
      const { viewport = { width: 360, height: 640 }, colorScheme = 'light', forcedColors = 'none' } = look;
      script = scriptOf(state, ++shown, look.language);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, forcedColors, media: 'screen' });
      await page.goto(`${origin}${base}/?${shown}${path}`, { waitUntil: 'domcontentloaded' });
      return page;
    },
    /** Stores a screenshot for people to view, if `SCREENSHOTS` names a folder. */
    shoot: (of: Page, picture: string): Promise<void> => storePicture(of, `${app}-${picture}`),
    /** Sets the responses to all further calls, and to calls that are still waiting (`never`). */
    answer: (answers: State['answers']) => remote('answer', answers),
    /** Sends this event over the feed. */
    emit: <T extends EventType>(type: T, data: CloudEvent<T>['data']) => remote('emit', { type, data }),
    standing: (standing: FeedStanding) => remote('stand', standing),
    /** Signs in another user, or signs the user out. */
    signIn: (who: Who | null) => remote('signIn', who),
    /** Returns the calls with this name that the page has made since it was last shown. */
    calls: async (name: MadeCall['call']): Promise<MadeCall[]> =>
      (await page.evaluate(() => (globalThis as { standRemote?: Remote }).standRemote?.calls ?? [])).filter(
        ({ call }) => call === name,
      ),
    /** Checks the page. Call it after each test. @throws Error if the page had errors that its test does not expect */
    check: () => throwErrors(context),
    close: async (): Promise<void> => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the script that sets the page's state. After a reload, the page finds its device unchanged. */
const scriptOf = (state: State, shown: number, language = 'en'): string => `
  // A window that fills the screen has no size that a test could choose.
  delete Element.prototype.requestFullscreen;
  globalThis.standState = ${JSON.stringify(state)};
  if (sessionStorage.getItem('stand') !== '${shown}') {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem('stand', '${shown}');
    const device = ${JSON.stringify({ 'comanda.language': language, ...state.device })};
    for (const [name, value] of Object.entries(device)) localStorage.setItem(name, value);
    for (const [name, value] of Object.entries(${JSON.stringify(state.tab ?? {})})) sessionStorage.setItem(name, value);
  }
`;

/**
 * `folder` is the app's folder, served under the path `base`. `rest` is the folder for all other paths, such as dish pictures.
 */
type Served = { folder: string; base: string; rest: string };
function serve({ folder, base, rest }: Served, script: () => string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand');
    const isOfApp = pathname.startsWith(base);
    const path = normalize(isOfApp ? pathname.slice(base.length) : pathname);
    const send = (type: string, body: string | Buffer, cacheFor = 'no-store'): void => {
      response.writeHead(200, { 'content-type': type, 'cache-control': cacheFor }).end(body);
    };
    if (path === '/stand-state.js') send('text/javascript', script());
    else if (path === '/config.json') send('application/json', '{}');
    else {
      const file = extname(path) === '' ? '/index.html' : path;
      const isHashed = path.startsWith('/assets/');
      readFile(join(isOfApp ? folder : rest, file)).then(
        (body) => send(types[extname(file)] ?? 'application/octet-stream', body, isHashed ? 'max-age=3600' : undefined),
        () => response.writeHead(404).end(),
      );
    }
  });
}
