import type { Client } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Ask } from '@comanda/ui/ask.tsx';
import { chooseLanguage, language } from '@comanda/ui/language.ts';
import { sessionMessages } from '@comanda/ui/session-messages.ts';
import type { ScreenName } from '../address.ts';
import { writeKeptOrders } from '../device/kept-orders.ts';
import { countUnsent } from '../device/unsent-work.ts';
import { messages } from '../messages.ts';
import { tabletMessages } from '../tablet/messages.ts';
import type { DialogName } from './menu-dialog.tsx';
import { appMenuMessages } from './messages.ts';
import { writeShift } from '../device/shift.ts';

/** A menu entry that only one screen has, for example "Print the board". */
export type MenuEntry = { text: string; onChoose: () => void };
type Props = {
  client: Client;
  screen: ScreenName;
  entries?: readonly MenuEntry[] | undefined;
  onDialog: (name: DialogName) => void;
  close: () => void;
};

/** The menu's entries: the other screens, this screen's own actions, the language, the user's sessions, and signing out. */
export function AppMenuEntries({ client, screen, entries, onDialog, close }: Props) {
  const words = messages().menu;
  const role = client.who()?.role;
  const isManager = role === 'manager';
  const screens: ScreenName[] = isManager ? ['board', 'waiter', 'manager'] : ['board', 'waiter'];
  const choose = (action: () => void) => (): void => {
    close();
    action();
  };
  const isEnglish = language.value === 'en';
  return (
    <>
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
      {role === 'waiter' && (
        <button type="button" onClick={choose(() => onDialog('tablet_pin'))}>
          {tabletMessages().title}
        </button>
      )}
      <button type="button" onClick={choose(() => onDialog('sessions'))}>
        {sessionMessages().title}
      </button>
      <SignOut client={client} />
    </>
  );
}

/** The button to sign out. It first asks once if this device has unsent work of this user. */
function SignOut({ client }: { client: Client }) {
  const own = appMenuMessages();
  const [isAsking, setIsAsking] = useState(false);
  const who = client.who();
  const { bumps, waiterWork } = countUnsent(who?.userId ?? 0);
  /** Signs out and ends the shift, so that none of its tickets stay on the screen. */
  function signOut(): void {
    writeShift(null);
    if (who) writeKeptOrders(who.userId, null);
    void client.signOut();
  }
  if (isAsking)
    return (
      <Ask
        question={own.signOutAsk}
        yes={own.signOutAnyway}
        kind="danger"
        onYes={signOut}
        onClose={() => setIsAsking(false)}
      >
        {bumps > 0 && <p>{own.keptBumps(bumps)}</p>}
        {waiterWork > 0 && <p>{own.keptWork}</p>}
      </Ask>
    );
  return (
    <button type="button" onClick={() => (bumps + waiterWork > 0 ? setIsAsking(true) : signOut())}>
      {own.signOut}
      {who && <small>{own.signedInAs(who.name, messages().roles[who.role])}</small>}
    </button>
  );
}
