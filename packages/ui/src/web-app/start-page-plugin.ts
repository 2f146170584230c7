import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';

/** For each language, a text that says what users can do without this app. */
type Instead = { en: string; 'pt-BR': string };

/**
 * Adds messages that the page shows before the app has started. One appears after 5 s and says that the app is still loading.
 * Another says that the app hasn't started, because a script has failed. The third says that the app needs JavaScript. They are
 * plain HTML in both languages, because nothing else works before the app has started.
 */
export function startPagePlugin(instead: Instead): Plugin {
  let base = '/';
  let script = { fileName: '', source: '' };
  return {
    name: 'comanda:start-page',
    apply: 'build',
    configResolved: async (config) => {
      base = config.base;
      const source = await startFailureSource();
      const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
      script = { fileName: `assets/start-failure-${hash}.js`, source };
    },
    generateBundle() {
      this.emitFile({ type: 'asset', ...script });
    },
    transformIndexHtml: {
      order: 'post',
      // `defer` scripts and modules run in order, so this script is ready before the app's script can fail.
      handler: (html) =>
        html
          .replace('<script type="module"', `<script defer src="${base}${script.fileName}"></script>\n    $&`)
          .replace('</body>', `${pageOf(instead)}\n  $&`),
    },
  };
}

async function startFailureSource(): Promise<string> {
  const file = join(import.meta.dirname, 'start-failure.ts');
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, { sourcemap: false, target: 'es2015' });
  return code;
}

type Words = { title: string; text: string };
const words = {
  slow: {
    en: {
      title: 'Still loading…',
      text: 'The connection is slow. The page opens by itself. If that takes more than a minute, check the Wi-Fi and reload the page.',
    },
    'pt-BR': {
      title: 'Ainda carregando…',
      text: 'A conexão está lenta. A página abre sozinha. Se passar de um minuto, verifique o Wi-Fi e recarregue a página.',
    },
  },
  failed: {
    en: {
      title: 'Comanda hasn’t started',
      text: 'Check the Wi-Fi and reload the page. If that doesn’t help, update the browser or use another device: Comanda runs in Safari 15.4, Chrome 100, Firefox 100 and newer.',
    },
    'pt-BR': {
      title: 'O Comanda não iniciou',
      text: 'Verifique o Wi-Fi e recarregue a página. Se não adiantar, atualize o navegador ou use outro aparelho: o Comanda funciona no Safari 15.4, Chrome 100, Firefox 100 e mais novos.',
    },
  },
  off: {
    en: { title: 'JavaScript is off', text: 'Comanda needs it. Allow JavaScript for this page, then reload it.' },
    'pt-BR': {
      title: 'O JavaScript está desativado',
      text: 'O Comanda precisa dele. Permita o JavaScript nesta página e recarregue.',
    },
  },
} as const satisfies Record<string, Record<keyof Instead, Words>>;
const reload = { en: 'Reload', 'pt-BR': 'Recarregar' };

function pageOf(instead: Instead): string {
  const part = (of: Record<keyof Instead, Words>, more: (lang: keyof Instead) => string): string =>
    (['en', 'pt-BR'] as const)
      .map((lang) => {
        const { title, text } = of[lang];
        return `<div lang="${lang}"><h1>${title}</h1><p>${text} ${instead[lang]}</p>${more(lang)}</div>`;
      })
      .join('');
  const reloadLink = (lang: keyof Instead): string => `<a href="">${reload[lang]}</a>`;
  return `
    <main class="not-started">
      <div class="not-started-slow" role="status">${part(words.slow, () => '')}</div>
      <div class="not-started-failed" role="alert" hidden>${part(words.failed, reloadLink)}</div>
      <noscript><div class="not-started-off">${part(words.off, reloadLink)}</div></noscript>
    </main>`;
}
