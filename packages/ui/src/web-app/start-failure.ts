// The browser runs this file before the app's script, because a module that fails to load can't report it.

function showFailure(): void {
  const page = document.querySelector('.not-started');
  const [slow, failed] = ['slow', 'failed'].map((part) => document.querySelector<HTMLElement>(`.not-started-${part}`));
  if (!page || !slow || !failed) return; // The app has started and removed this page.
  page.classList.add('not-started-now');
  slow.hidden = true;
  failed.hidden = false;
}

/** Handles a script that was not loaded or that threw an error. If anything else fails to load, the app still starts. */
function onError({ target }: Event): void {
  if (target === window || target instanceof HTMLScriptElement) showFailure();
}

addEventListener('error', onError, { capture: true });
addEventListener('unhandledrejection', showFailure);
if (!('noModule' in HTMLScriptElement.prototype)) showFailure();
