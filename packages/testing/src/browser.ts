import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';
import { findChromium } from '../../../scripts/browser/find-chromium.ts';
import { programsDir } from '../../../scripts/root.ts';
import { withDownloads } from '../../../scripts/servers/downloads.ts';

const isRoot = process.getuid?.() === 0;

// Names that stand for no host [RFC 2606] are this one, so that a page can come from elsewhere than a trusted localhost.
const hosts = 'MAP *.test 127.0.0.1, EXCLUDE 127.0.0.1, EXCLUDE localhost, MAP * ~NOTFOUND';

/** A real browser, to be closed. It talks to nobody but the pages that a test opens in it. */
export async function startBrowser(): Promise<Browser> {
  const found = await withDownloads(
    { programsDir, log: (line) => void process.stderr.write(`${line}\n`) },
    (downloads) => findChromium(process.env['CHROMIUM'], downloads),
  );
  const env = Object.entries(found.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return chromium.launch({
    executablePath: found.executable,
    env: Object.fromEntries(env),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      // A container's is too small for it.
      '--disable-dev-shm-usage',
      '--disable-quic',
      `--host-resolver-rules=${hosts}`,
    ],
  });
}

/** Closes a context. A route handler that still waits for its answer then fails, which is no failure of a test. */
export async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}
