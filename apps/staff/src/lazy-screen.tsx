import type { Client } from '@comanda/client/core';
import type { ComponentType } from 'preact';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { loadPageAgain } from '@comanda/ui/web-app/load-again.ts';
import { messages } from './messages.ts';
import { useLoaded } from './use-loaded.ts';

/** The props of every screen. `path` is the part of the address after `#/`. */
export type ScreenProps = { client: Client; unsent: UnsentList; path: string };
/** Imports the script of a screen. */
export type LoadScreen = () => Promise<ComponentType<ScreenProps>>;

/** A screen whose script is loaded when the screen is first opened. */
export const LazyScreen = (props: ScreenProps & { load: LoadScreen }) => <LazyPart {...props} />;

/** A component whose script is loaded when the component is first shown. */
export function LazyPart<P extends object>({ load, ...props }: P & { load: () => Promise<ComponentType<P>> }) {
  // If loading fails, the network is down or the server has a newer build. A reload then gets what is needed.
  const { Loaded: Screen, hasFailed } = useLoaded(load);
  if (Screen) return <Screen {...(props as unknown as P)} />;
  return hasFailed ? <NotLoaded /> : null;
}

/** Shown in place of a part of the app that could not be loaded. */
export const NotLoaded = () => (
  <main class="sign-in">
    <p role="alert">{messages().notLoaded}</p>
    <button type="button" class="tool" onClick={() => void loadPageAgain()}>
      {messages().loadAgain}
    </button>
  </main>
);
