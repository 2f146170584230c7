import type { Client } from '@comanda/client';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messages } from './messages.ts';

export type ScreenProps = { client: Client };
/** Imports the module of a screen. */
export type LoadScreen = () => Promise<ComponentType<ScreenProps>>;

/** A screen whose script is loaded when somebody opens it. */
export function LazyScreen({ load, client }: { load: LoadScreen; client: Client }) {
  const [Screen, setScreen] = useState<ComponentType<ScreenProps> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (loaded) => isCurrent && setScreen(() => loaded),
      // The network is down, or the server has a newer build: a new page has what is needed.
      () => isCurrent && setHasFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  if (Screen) return <Screen client={client} />;
  return hasFailed ? (
    <main class="sign-in">
      <p role="alert">{messages().notLoaded}</p>
      <button type="button" class="tool" onClick={() => location.reload()}>
        {messages().loadAgain}
      </button>
    </main>
  ) : null;
}
