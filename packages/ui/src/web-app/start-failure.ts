// The browser runs this file before the script of the app: a module that fails cannot report that.

function showFailure(): void {
  const page = document.querySelector('.not-started');
  const [slow, failed] = ['slow', 'failed'].map((part) => document.querySelector<HTMLElement>(`.not-started-${part}`));
  if (!page || !slow || !failed) return; // the app is there, and has removed it
  page.classList.add('not-started-now');
  slow.hidden = true;
  failed.hidden = false;
}

/**
 * Handles a script of the page that was not loaded, or that threw. Other things that fail to load do not end the start.
 */
function onError({ target }: Event): void {
  if (target === window || target instanceof HTMLScriptElement) showFailure();
}

addEventListener('error', onError, { capture: true });
addEventListener('unhandledrejection', showFailure);
if (!('noModule' in HTMLScriptElement.prototype)) showFailure();
