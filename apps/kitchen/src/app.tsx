import type { Client, Who } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { LanguageButton } from '@comanda/ui/settings-buttons.tsx';
import './app.css';
import { BoardScreen } from './board/board-screen.tsx';
import { LazyScreen } from './lazy-screen.tsx';
import type { LoadScreen } from './lazy-screen.tsx';
import { messages } from './messages.ts';
import { currentScreen } from './screen.ts';
import { hasKeptWork } from './waiter/kept-work.ts';

type Props = { client: Client; device: string };

const loadWaiter: LoadScreen = async () => (await import('./waiter/waiter-screen.tsx')).WaiterScreen;
const loadManager: LoadScreen = async () => (await import('./manager/manager-screen.tsx')).ManagerScreen;

/** Sign-in, then the screen that the address names. */
export function App({ client, device }: Props) {
  const [who, setWho] = useState<Who | null>(client.who());
  // A sign-in on this page ends with the form: somebody else may have set the password, which is then changed there.
  useEffect(() => client.onWho((next) => setWho((before) => (next && !before ? before : next))), [client]);
  if (who === null || who.role === 'customer')
    return <SignIn client={client} who={who} onSignedIn={() => setWho(client.who())} />;
  return <Screen key={who.userId} client={client} device={device} />;
}

function Screen({ client, device }: Props) {
  const screen = currentScreen();
  const isBoard = screen === 'board';
  const [isBoardOpen, setIsBoardOpen] = useState(isBoard);
  useEffect(() => setIsBoardOpen((isOpen) => isOpen || isBoard), [isBoard]);
  const isWaiter = screen === 'waiter';
  const [isWaiterOpen, setIsWaiterOpen] = useState(isWaiter || hasKeptWork(client.who()?.userId ?? 0));
  useEffect(() => setIsWaiterOpen((isOpen) => isOpen || isWaiter), [isWaiter]);
  return (
    <>
      {/* The board stays open behind the other screens: it sends what was bumped, and sounds for new orders. */}
      {isBoardOpen && <BoardScreen client={client} device={device} isShown={isBoard} />}
      {/* So does the waiters' screen: it sends orders that have no answer, and what was served. */}
      {isWaiterOpen && <LazyScreen load={loadWaiter} client={client} />}
      {screen === 'manager' && <LazyScreen load={loadManager} client={client} />}
    </>
  );
}

function SignIn({ client, who, onSignedIn }: { client: Client; who: Who | null; onSignedIn: () => void }) {
  return (
    <main class="sign-in">
      <div class="sign-in-head">
        <h1>
          Comanda <small>{messages().staff}</small>
        </h1>
        <LanguageButton />
      </div>
      {who && <p role="alert">{messages().forStaffOnly}</p>}
      <SignInForm client={client} onSignedIn={onSignedIn} />
    </main>
  );
}
