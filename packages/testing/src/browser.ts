import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from 'playwright-core';
import { findChromium } from '@comanda/local-stack/browser/find-chromium';

const isRoot = process.getuid?.() === 0;

// Host names that end with .test, which RFC 2606 reserves, resolve to this machine. Tests use them for pages that browsers do not
// trust: browsers trust pages on localhost even without TLS.
const hosts = 'MAP *.test 127.0.0.1, EXCLUDE 127.0.0.1, EXCLUDE localhost, MAP * ~NOTFOUND';

/** Starts a real browser, which the caller must close. It can load only pages from this machine. */
export async function startBrowser(): Promise<Browser> {
  const found = await findChromium((line) => void process.stderr.write(`${line}\n`));
  const env = Object.entries(found.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const options: LaunchOptions = {
    executablePath: found.executable,
    env: Object.fromEntries(env),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      // In containers, /dev/shm is too small for Chromium.
      '--disable-dev-shm-usage',
      '--disable-quic',
      `--host-resolver-rules=${hosts}`,
    ],
  };
  return chromium.launch(options).catch((error: unknown) => {
    // Tries again if Chromium itself crashed while starting, which has happened with SIGSEGV.
    if (!/<process did exit: .*signal=SIG(?:SEGV|TRAP|ABRT)>/.test(String(error))) throw error;
    process.stderr.write(`Chromium crashed at its start, and is started once more: ${String(error)}\n`);
    return chromium.launch(options);
  });
}

let shared: Promise<Browser> | undefined;
/**
 * Returns the browser of this Jest worker, which stays open for later test files: starting a browser takes half a second of
 * processor time. Close the contexts that you open in it, but not the browser.
 */
export async function sharedBrowser(): Promise<Browser> {
  const found = await (shared ??= startSharedBrowser());
  if (found.isConnected()) return found;
  shared = startSharedBrowser();
  return shared;
}

/** The first value of the message with which Jest ends a worker, which then exits once nothing keeps it alive. */
const endMessage = 2;
async function startSharedBrowser(): Promise<Browser> {
  const browser = await startBrowser();
  const onMessage = (message: unknown): void => {
    if (!Array.isArray(message) || message[0] !== endMessage) return;
    process.off('message', onMessage);
    void browser.close();
  };
  process.on('message', onMessage);
  browser.on('disconnected', () => process.off('message', onMessage));
  return browser;
}

type Watched = { errors: string[]; expected: RegExp[] };
const watchedContexts = new WeakMap<BrowserContext, Watched>();
/** Console messages that are accepted in all tests. Without TLS, browsers report that this header has no effect. */
const notes = [/^The Cross-Origin-Opener-Policy header has been ignored/];

/**
 * Records uncaught exceptions and console errors on all pages of a context. If a test did not expect them, `closeContext` throws.
 */
export function watchErrors(context: BrowserContext): void {
  watchedContexts.set(context, { errors: [], expected: [...notes] });
  const watched = (): Watched => watchedContexts.get(context) ?? { errors: [], expected: [] };
  context.on('weberror', (error) => watched().errors.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') watched().errors.push(`${message.text()} ${message.location().url}`);
  });
}
/** Accepts console errors that the test causes on purpose. Each pattern is matched against an error's text and URL. */
export function expectErrors(page: Page, ...expected: readonly RegExp[]): void {
  watchedContexts.get(page.context())?.expected.push(...expected);
}

/** Disconnects the page from the network, or connects it again. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  expectErrors(page, /net::ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(isOffline);
}

/**
 * Closes a context. Route handlers that are still waiting for their responses may fail then, without failing the test.
 * @throws Error if `watchErrors` has recorded unexpected errors
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
  throwErrors(context);
}

/** Checks that `watchErrors` has recorded no errors since the last call, except expected ones. @throws Error if it has */
export function throwErrors(context: BrowserContext): void {
  const { errors, expected } = watchedContexts.get(context) ?? { errors: [], expected: [] };
  watchedContexts.set(context, { errors: [], expected: [...notes] });
  const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
  if (unexpected.length > 0) throw new Error(`Errors in the browser that no test expects:\n${unexpected.join('\n')}`);
}
