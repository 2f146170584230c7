import { signal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { readFailureMessages } from '@comanda/ui/read-failure-words.ts';
import { loadPageAgain } from '@comanda/ui/web-app/load-again.ts';
import { messages } from './messages.ts';
import { BackLink } from './back-link.tsx';

/** A part of the app whose script is loaded after the menu. */
export type LatePart<M> = { loaded: Signal<M | null>; hasFailed: Signal<boolean>; load: () => Promise<void> };

export function createLatePart<M>(importPart: () => Promise<M>): LatePart<M> {
  const loaded = signal<M | null>(null);
  const hasFailed = signal(false);
  async function load(): Promise<void> {
    hasFailed.value = false;
    try {
      loaded.value ??= await importPart();
    } catch {
      hasFailed.value = true;
    }
  }
  return { loaded, hasFailed, load };
}

async function loadAgain(part: LatePart<unknown>): Promise<void> {
  await part.load();
  if (part.hasFailed.value) await loadPageAgain();
}

type PartProps<M> = { part: LatePart<M>; children: (loaded: M) => ComponentChildren };

/** Shows the part once it is loaded, or what to do if it can't be loaded. */
export function ShownPart<M>({ part, children }: PartProps<M>) {
  useEffect(() => void part.load(), [part]);
  const loaded = part.loaded.value;
  if (loaded !== null) return <>{children(loaded)}</>;
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main">
        <h1 class="spoken" tabIndex={-1}>
          {messages().menu}
        </h1>
        <LoadFailure part={part} />
      </main>
    </div>
  );
}

/** Like `ShownPart`, for a part of a page: without a page's head while the part is loaded. */
export function LateContent<M>({ part, children }: PartProps<M>) {
  useEffect(() => void part.load(), [part]);
  const loaded = part.loaded.value;
  return loaded === null ? <LoadFailure part={part} /> : <>{children(loaded)}</>;
}

function LoadFailure<M>({ part }: { part: LatePart<M> }) {
  const [happened = '', toDo = ''] = readFailureMessages().unreachable;
  if (!part.hasFailed.value) return null;
  return (
    <ErrorPanel words={{ happened, toDo }}>
      <Button onClick={() => void loadAgain(part)}>{messages().tryAgain}</Button>
    </ErrorPanel>
  );
}
