import type { Client } from '@comanda/client/core';
import { Lazy, lazyModule, useLazy } from '@comanda/ui/lazy.tsx';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenName } from '../address.ts';
import './app-menu.css';
import type { MenuEntry } from './app-menu-entries.tsx';
import type { DialogName } from './menu-dialog.tsx';
import { messages } from '../messages.ts';

const menuEntries = lazyModule(() => import('./app-menu-entries.tsx'));
const switchPerson = lazyModule(() => import('../tablet/switch-person.tsx'));
const menuDialog = lazyModule(() => import('./menu-dialog.tsx'));

type Props = { client: Client; screen: ScreenName; entries?: readonly MenuEntry[] };

/** The button that opens the menu. On a registered tablet, also the button that hands over to the next person. */
export function AppMenu({ client, screen, entries }: Props) {
  const words = messages().menu;
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  useLazy(menuEntries);
  const { MenuDialog } = useLazy(menuDialog, dialog) ?? {};
  const { SwitchPerson } = useLazy(switchPerson) ?? {};
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
        <nav class="edge stack app-menu-list sheet" aria-label={words.open}>
          <Lazy module={menuEntries}>
            {({ AppMenuEntries }) => <AppMenuEntries {...{ client, screen, entries, close }} onDialog={setDialog} />}
          </Lazy>
        </nav>
      )}
      {dialog && MenuDialog && <MenuDialog client={client} name={dialog} onClose={() => setDialog(null)} />}
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
