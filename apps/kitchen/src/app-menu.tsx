import type { Client } from '@comanda/client';
import type { RefObject } from 'preact';
import { writeShift } from './shift/shift.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { chooseLanguage, language } from '@comanda/ui/language.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import type { ScreenName } from './address.ts';
import './app-menu.css';
import { writeKeptOrders } from './device/kept-orders.ts';
import { hasKeptWork, keptBumps } from './device/kept-work.ts';
import { messages } from './messages.ts';
import { useLoaded } from './use-loaded.ts';

const loadSessions = async () => (await import('./sessions-dialog.tsx')).SessionsDialog;

/** An entry of the menu that only one screen has, for example "Print the board". */
export type MenuEntry = { text: string; onChoose: () => void };
type Props = { client: Client; screen: ScreenName; entries?: readonly MenuEntry[] };

/** The button with three bars: the screens, the language, and the way out. */
export function AppMenu({ client, screen, entries }: Props) {
  const words = messages().menu;
  const [isOpen, setIsOpen] = useState(false);
  const [areSessionsOpen, setAreSessionsOpen] = useState(false);
  const { Loaded: Sessions } = useLoaded(loadSessions, areSessionsOpen);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setIsOpen(false), []);
  useDismissal({ isOpen, element, button, close });
  const isManager = client.who()?.role === 'manager';
  const screens: ScreenName[] = isManager ? ['board', 'waiter', 'manager'] : ['board', 'waiter'];
  const choose = (action: () => void) => (): void => {
    close();
    action();
  };
  const isEnglish = language.value === 'en';
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
          {screens.map((each) => (
            <a key={each} href={`#/${each}`} aria-current={each === screen ? 'page' : undefined} onClick={close}>
              {words[each]}
            </a>
          ))}
          {entries?.map(({ text, onChoose }) => (
            <button key={text} type="button" onClick={choose(onChoose)}>
              {text}
            </button>
          ))}
          <button
            type="button"
            lang={isEnglish ? 'pt-BR' : 'en'}
            onClick={choose(() => chooseLanguage(isEnglish ? 'pt-BR' : 'en'))}
          >
            {isEnglish ? 'Português' : 'English'}
          </button>
          <button type="button" onClick={choose(() => setAreSessionsOpen(true))}>
            {uiMessages().sessions.title}
          </button>
          <SignOut client={client} />
        </nav>
      )}
      {areSessionsOpen && Sessions && <Sessions client={client} onClose={() => setAreSessionsOpen(false)} />}
    </div>
  );
}

/** Asks once if this device keeps work of the user that the server has not answered. */
function SignOut({ client }: { client: Client }) {
  const words = messages().menu;
  const [isAsking, setIsAsking] = useState(false);
  const who = client.who();
  const kept = who ? keptBumps(who.userId).get().length : 0;
  const isWaiterKept = who !== null && hasKeptWork(who.userId);
  /** Also ends the shift: nothing of it stays on the screen. */
  function signOut(): void {
    writeShift(null);
    if (who) writeKeptOrders(who.userId, null);
    void client.signOut();
  }
  return (
    <>
      {isAsking && kept > 0 && <p role="alert">{words.keptBumps(kept)}</p>}
      {isAsking && isWaiterKept && <p role="alert">{words.keptWork}</p>}
      <button
        type="button"
        class={isAsking ? 'app-menu-alarm' : undefined}
        onClick={() => ((kept > 0 || isWaiterKept) && !isAsking ? setIsAsking(true) : signOut())}
      >
        {isAsking ? words.signOutAnyway : messages().signOut}
        {!isAsking && who && <small>{messages().signedInAs(who.name, messages().roles[who.role])}</small>}
      </button>
    </>
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
