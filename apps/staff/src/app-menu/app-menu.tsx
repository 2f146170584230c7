import type { Client } from '@comanda/client/core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenName } from '../address.ts';
import './app-menu.css';
import type { MenuEntry } from './app-menu-entries.tsx';
import type { DialogName } from './menu-dialog.tsx';
import { messages } from '../messages.ts';
import { useLoaded } from '../use-loaded.ts';

const loadEntries = async () => (await import('./app-menu-entries.tsx')).AppMenuEntries;
const loadSwitch = async () => (await import('../tablet/switch-person.tsx')).SwitchPerson;
const loadDialog = async () => (await import('./menu-dialog.tsx')).MenuDialog;

type Props = { client: Client; screen: ScreenName; entries?: readonly MenuEntry[] };

/** The button that opens the menu. On a registered tablet, also the button that hands over to the next person. */
export function AppMenu({ client, screen, entries }: Props) {
  const words = messages().menu;
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const { Loaded: Entries, hasFailed } = useLoaded(loadEntries, isOpen);
  const { Loaded: Dialog } = useLoaded(loadDialog, dialog);
  const { Loaded: SwitchPerson } = useLoaded(loadSwitch);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setIsOpen(false), []);
  useDismissal({ isOpen, element, button, close });
  return (
    <div class="app-menu" ref={element}>
      {SwitchPerson && <SwitchPerson client={client} />}
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
        <nav class="app-menu-list sheet" aria-label={words.open}>
          {Entries && <Entries {...{ client, screen, entries, close }} onDialog={setDialog} />}
          {!Entries && hasFailed && <p role="alert">{messages().notLoaded}</p>}
        </nav>
      )}
      {dialog && Dialog && <Dialog client={client} name={dialog} onClose={() => setDialog(null)} />}
    </div>
  );
}

type Dismissal = {
  isOpen: boolean;
  element: RefObject<HTMLElement | null>;
  button: RefObject<HTMLElement | null>;
  close: () => void;
};
/** Closes the menu on Escape, or on a tap outside it. */
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
