import type { Client } from '@comanda/client/core';
import type { ComponentType } from 'preact';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { loadPageAgain } from '@comanda/ui/web-app/load-again.ts';
import { messages } from './messages.ts';
import { useLoaded } from './use-loaded.ts';

/** `path`: what follows `#/` in the address. */
export type ScreenProps = { client: Client; unsent: UnsentList; path: string };
/** Imports the module of a screen. */
export type LoadScreen = () => Promise<ComponentType<ScreenProps>>;

/** A screen whose script is loaded when somebody opens it. */
export const LazyScreen = (props: ScreenProps & { load: LoadScreen }) => <LazyPart {...props} />;

/** A part of a screen whose script is loaded when somebody opens it. */
export function LazyPart<P extends object>({ load, ...props }: P & { load: () => Promise<ComponentType<P>> }) {
  // The network is down, or the server has a newer build: a new page has what is needed.
  const { Loaded: Screen, hasFailed } = useLoaded(load);
  if (Screen) return <Screen {...(props as unknown as P)} />;
  return hasFailed ? <NotLoaded /> : null;
}

/** In place of a part of the app that could not be loaded. */
export const NotLoaded = () => (
  <main class="sign-in">
    <p role="alert">{messages().notLoaded}</p>
    <button type="button" class="tool" onClick={() => void loadPageAgain()}>
      {messages().loadAgain}
    </button>
  </main>
);
