// The browser runs this file before the app's script, because a module that fails can't report its own failure.

function showFailure(): void {
  const page = document.querySelector('.not-started');
  const [slow, failed] = ['slow', 'failed'].map((part) => document.querySelector<HTMLElement>(`.not-started-${part}`));
  if (!page || !slow || !failed) return; // the app has started and removed this page
  page.classList.add('not-started-now');
  slow.hidden = true;
  failed.hidden = false;
}

/**
 * Handles a script on the page that was not loaded or that threw an error. Other things that fail to load do not prevent the
 * start.
 */
function onError({ target }: Event): void {
  if (target === window || target instanceof HTMLScriptElement) showFailure();
}

addEventListener('error', onError, { capture: true });
addEventListener('unhandledrejection', showFailure);
if (!('noModule' in HTMLScriptElement.prototype)) showFailure();
