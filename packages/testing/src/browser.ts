import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from 'playwright-core';
import { findChromium } from '@comanda/local-stack/browser/find-chromium';

const isRoot = process.getuid?.() === 0;

// Names that stand for no host [RFC 2606] are this one, so that a page can come from elsewhere than a trusted localhost.
const hosts = 'MAP *.test 127.0.0.1, EXCLUDE 127.0.0.1, EXCLUDE localhost, MAP * ~NOTFOUND';

/** A real browser, to be closed. It talks to nobody but the pages that a test opens in it. */
export async function startBrowser(): Promise<Browser> {
  const found = await findChromium((line) => void process.stderr.write(`${line}\n`));
  const env = Object.entries(found.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const options: LaunchOptions = {
    executablePath: found.executable,
    env: Object.fromEntries(env),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      // A container's is too small for it.
      '--disable-dev-shm-usage',
      '--disable-quic',
      `--host-resolver-rules=${hosts}`,
    ],
  };
  return chromium.launch(options).catch((error: unknown) => {
    // Chromium itself may crash (SIGSEGV was seen), before a test has begun.
    if (!/<process did exit: .*signal=SIG(?:SEGV|TRAP|ABRT)>/.test(String(error))) throw error;
    process.stderr.write(`Chromium crashed at its start, and is started once more: ${String(error)}\n`);
    return chromium.launch(options);
  });
}

type Watched = { errors: string[]; expected: RegExp[] };
const watchedContexts = new WeakMap<BrowserContext, Watched>();
/** Pages without TLS, as some tests open them on purpose: the browser notes that a header means nothing there. */
const notes = [/^The Cross-Origin-Opener-Policy header has been ignored/];

/**
 * Notes what goes wrong in the pages of a context: exceptions that nobody catches, and errors in the console. `closeContext`
 * throws if there were any but those that the test expects.
 */
export function watchErrors(context: BrowserContext): void {
  watchedContexts.set(context, { errors: [], expected: [...notes] });
  const watched = (): Watched => watchedContexts.get(context) ?? { errors: [], expected: [] };
  context.on('weberror', (error) => watched().errors.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') watched().errors.push(`${message.text()} ${message.location().url}`);
  });
}
/** Names errors that a test causes on purpose, by what the console says and the address that it is about. */
export function expectErrors(page: Page, ...expected: readonly RegExp[]): void {
  watchedContexts.get(page.context())?.expected.push(...expected);
}

/** Takes the network from the page's device, or gives it back. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  expectErrors(page, /net::ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(isOffline);
}

/**
 * Closes a context. A route handler that still waits for its answer then fails, which is no failure of a test.
 * @throws Error if `watchErrors` has noted errors that were not expected
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
  throwErrors(context);
}

/** @throws Error if `watchErrors` has noted errors since the last call that were not expected */
export function throwErrors(context: BrowserContext): void {
  const { errors, expected } = watchedContexts.get(context) ?? { errors: [], expected: [] };
  watchedContexts.set(context, { errors: [], expected: [...notes] });
  const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
  if (unexpected.length > 0) throw new Error(`Errors in the browser that no test expects:\n${unexpected.join('\n')}`);
}
