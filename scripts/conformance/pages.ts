import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '@comanda/local-stack/browser/find-chromium';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { findTableAddress } from '@comanda/local-stack/seed';
import { run } from '@comanda/local-stack/servers/command';
import { binOf, emptyFolder, type Check } from './run.ts';

type Audit = { id: string; title: string; score: number | null; scoreDisplayMode: string };
type Report = {
  categories: Record<string, { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};

const chromeFlags = [
  '--headless',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** What the table's code leads to, and where the staff sign in. */
const addressOf = {
  table: (url: string) => findTableAddress(url, publicSignIns),
  kitchen: async (url: string) => `${url}/kitchen`,
};

/** What search engines find matters for the guests' page alone. */
const categoriesOf = {
  table: ['accessibility', 'best-practices', 'seo'],
  kitchen: ['accessibility', 'best-practices'],
};

/**
 * Has Lighthouse judge a page: each category must be 100 of 100. How fast the page is depends on this machine. That, and the
 * audit `baseline`, need a trace, and the Chromium without a window, which is the one that is downloaded, then aborts the
 * load of every page that sends `Referrer-Policy: no-referrer`, as ours do.
 */
export const lighthouse =
  (app: keyof typeof addressOf, screen: 'phone' | 'desktop'): Check =>
  async (url, tools) => {
    const address = await addressOf[app](url);
    if (address === null) return { passed: false, report: 'The demo has no table 12.' };
    const chromium = await findChromium((line) => console.error(line));
    const file = join(emptyFolder(`lighthouse-${app}-${screen}`), 'report.json');
    const { code, output } = await run({
      command: binOf(tools, 'lighthouse'),
      args: [
        address,
        '--quiet',
        '--no-enable-error-reporting',
        `--only-categories=${categoriesOf[app].join()}`,
        '--skip-audits=baseline',
        ...(screen === 'desktop' ? ['--preset=desktop'] : []),
        '--output=json',
        `--output-path=${file}`,
        `--chrome-flags=${chromeFlags.join(' ')}`,
      ],
      env: { ...chromium.env, CHROME_PATH: chromium.executable },
    });
    if (code !== 0) return { passed: false, report: output };
    const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const weighed = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
    const judged = weighed.flatMap(({ id }) => audits[id] ?? []).filter(({ score }) => score !== null);
    const wrong = judged.filter(({ score }) => score !== 1);
    const scores = Object.values(categories).map(({ title, score }) => `${title} ${Math.round((score ?? 0) * 100)}`);
    return {
      passed: Object.values(categories).every(({ score }) => score === 1),
      report: [...scores, ...wrong.map(({ id, title }) => `${id}: ${title}`)].join('\n'),
      tried: judged.length,
      other: wrong.length,
    };
  };
