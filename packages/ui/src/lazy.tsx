import { signal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import './button.css';
import './lazy.css';
import { uiMessages } from './messages.ts';
import { loadBuildAgain, loadPageAgain } from './web-app/load-again.ts';

/** A part of the app whose script isn't in the first load. */
export type LazyModule<M> = {
  /** The imported module; null until it is loaded. */ loaded: Signal<M | null>;
  hasFailed: Signal<boolean>;
  /** Imports the module unless it is loaded. Never rejects. */ load: () => Promise<void>;
};

export function lazyModule<M>(importModule: () => Promise<M>): LazyModule<M> {
  const loaded = signal<M | null>(null);
  const hasFailed = signal(false);
  // Two callers at once get the same module, because an import may also open something.
  let importing: Promise<M> | null = null;
  async function load(): Promise<void> {
    try {
      loaded.value ??= await (importing ??= importModule());
      hasFailed.value = false;
    } catch {
      importing = null;
      hasFailed.value = true;
    }
  }
  return { loaded, hasFailed, load };
}

/**
 * Returns the module; null until it is loaded. Loading starts as soon as the calling component is rendered, so that the script is
 * there if the network fails later. A failed load is retried when `need` changes; if the module is needed now and the import fails
 * again, the page is reloaded.
 */
export function useLazy<M>(module: LazyModule<M>, need?: unknown): M | null {
  useEffect(() => {
    void loadFor(need, module);
  }, [module, need]);
  return module.loaded.value;
}

async function loadFor(need: unknown, module: LazyModule<unknown>): Promise<void> {
  await module.load();
  if (module.hasFailed.value && need) await loadBuildAgain();
}

export type LazyProps<M> = { module: LazyModule<M>; children: (loaded: M) => ComponentChildren };

/** Shows a part of the app. Until it is loaded, says so; if it can't be loaded, says what to do. */
export function Lazy<M>({ module, children }: LazyProps<M>) {
  const loaded = useLazy(module);
  return loaded === null ? <LazyState module={module} /> : <>{children(loaded)}</>;
}

/**
 * Says that a module is loading or that it couldn't be loaded, with a button that tries again. Tries again by itself once the
 * network is back, because nobody may be there to tap, and an unsent order may wait for the module.
 */
function LazyState({ module }: { module: LazyModule<unknown> }) {
  const words = uiMessages();
  const hasFailed = module.hasFailed.value;
  useEffect(() => {
    if (!hasFailed) return undefined;
    const again = (): void => void retry(module);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [module, hasFailed]);
  if (hasFailed)
    return (
      <div class="stack gap-3 lazy-state">
        <p role="alert">{words.notLoaded}</p>
        <button type="button" class="button button-secondary button-medium" onClick={() => void retry(module)}>
          {words.tryAgain}
        </button>
      </div>
    );
  return (
    <p class="stack gap-3 lazy-state lazy-waiting" role="status">
      {words.loading}
    </p>
  );
}

/** Imports the module again. Chromium fails all later imports of a file that failed once, so the page is reloaded after that. */
async function retry(module: LazyModule<unknown>): Promise<void> {
  await module.load();
  if (module.hasFailed.value) await loadPageAgain();
}
