// This script runs before the app's script, because a module that fails to load can't report its own failure.

function showFailure(): void {
  const page = document.querySelector('.not-started');
  const [slow, failed] = ['slow', 'failed'].map((part) => document.querySelector<HTMLElement>(`.not-started-${part}`));
  if (!page || !slow || !failed) return; // The app has already started and removed this page.
  page.classList.add('not-started-now');
  slow.hidden = true;
  failed.hidden = false;
}

/** Shows the failure if a script fails to load or throws an error. The app can start without other files, such as pictures. */
function onError({ target }: Event): void {
  if (target === window || target instanceof HTMLScriptElement) showFailure();
}

addEventListener('error', onError, { capture: true });
addEventListener('unhandledrejection', showFailure);
if (!('noModule' in HTMLScriptElement.prototype)) showFailure();
