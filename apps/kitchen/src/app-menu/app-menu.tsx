import type { Client } from '@comanda/client';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenName } from '../address.ts';
import './app-menu.css';
import type { MenuEntry } from './app-menu-entries.tsx';
import { messages } from '../messages.ts';
import { useLoaded } from '../use-loaded.ts';

const loadEntries = async () => (await import('./app-menu-entries.tsx')).AppMenuEntries;
const loadSessions = async () => (await import('../sessions-dialog.tsx')).SessionsDialog;

type Props = { client: Client; screen: ScreenName; entries?: readonly MenuEntry[] };

/** The button with three bars: the screens, the language, and the way out. */
export function AppMenu({ client, screen, entries }: Props) {
  const words = messages().menu;
  const [isOpen, setIsOpen] = useState(false);
  const [areSessionsOpen, setAreSessionsOpen] = useState(false);
  const { Loaded: Entries, hasFailed } = useLoaded(loadEntries, isOpen);
  const { Loaded: Sessions } = useLoaded(loadSessions, areSessionsOpen);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setIsOpen(false), []);
  useDismissal({ isOpen, element, button, close });
  return (
    <div class="app-menu" ref={element}>
      <button
        type="button"
        class="tool tool-icon"
        ref={button}
        aria-label={words.open}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span class="tool-bars" aria-hidden="true" />
      </button>
      {isOpen && (
        <nav class="app-menu-list" aria-label={words.open}>
          {Entries && <Entries {...{ client, screen, entries, close }} onSessions={() => setAreSessionsOpen(true)} />}
          {!Entries && hasFailed && <p role="alert">{messages().notLoaded}</p>}
        </nav>
      )}
      {areSessionsOpen && Sessions && <Sessions client={client} onClose={() => setAreSessionsOpen(false)} />}
    </div>
  );
}

type Dismissal = {
  isOpen: boolean;
  element: RefObject<HTMLElement | null>;
  button: RefObject<HTMLElement | null>;
  close: () => void;
};
/** Escape and a tap beside the menu close it. */
function useDismissal({ isOpen, element, button, close }: Dismissal): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = ({ target }: Event): void => {
      if (!element.current?.contains(target as Node)) close();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
      button.current?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isOpen, element, button, close]);
}
