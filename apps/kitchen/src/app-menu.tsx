import type { Client } from '@comanda/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chooseLanguage, language } from '@comanda/ui/language.ts';
import './app-menu.css';
import { loadBumps } from './device/bump-storage.ts';
import { messages } from './messages.ts';
import { hasKeptWork } from './waiter/kept-work.ts';
import { currentScreen } from './screen.ts';
import type { ScreenName } from './screen.ts';

/** An entry of the menu that only one screen has, for example "Print the board". */
export type MenuEntry = { text: string; onChoose: () => void };
type Props = { client: Client; entries?: readonly MenuEntry[] };

/** The button with three bars: the screens, the language, and the way out. */
export function AppMenu({ client, entries }: Props) {
  const words = messages().menu;
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsOpen(false);
    setIsAsking(false);
  };
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
  }, [isOpen]);

  const who = client.who();
  const kept = who ? loadBumps(who.userId).length : 0;
  const isWaiterKept = who !== null && hasKeptWork(who.userId);
  const screens: ScreenName[] = who?.role === 'manager' ? ['board', 'waiter', 'manager'] : ['board', 'waiter'];
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
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        <span class="tool-bars" aria-hidden="true" />
      </button>
      {isOpen && (
        <nav class="app-menu-list" aria-label={words.open}>
          {screens.map((screen) => (
            <a
              key={screen}
              href={`#/${screen}`}
              aria-current={currentScreen() === screen ? 'page' : undefined}
              onClick={close}
            >
              {words[screen]}
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
          {isAsking && kept > 0 && <p role="alert">{words.keptBumps(kept)}</p>}
          {isAsking && isWaiterKept && <p role="alert">{words.keptWork}</p>}
          <button
            type="button"
            class={isAsking ? 'app-menu-alarm' : undefined}
            onClick={() => ((kept > 0 || isWaiterKept) && !isAsking ? setIsAsking(true) : void client.signOut())}
          >
            {isAsking ? words.signOutAnyway : messages().signOut}
            {!isAsking && who && <small>{messages().signedInAs(who.name, messages().roles[who.role])}</small>}
          </button>
        </nav>
      )}
    </div>
  );
}
