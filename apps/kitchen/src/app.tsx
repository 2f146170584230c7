import type { Client, Who } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { LanguageButton } from '@comanda/ui/settings-buttons.tsx';
import { screenOf, usePath } from './address.ts';
import './app.css';
import type { ConsentGate } from './consent-gate.ts';
import { BoardScreen } from './board/board-screen.tsx';
import type { Device } from './device/device.ts';
import { hasKeptWork } from './device/kept-work.ts';
import { LazyScreen, type LoadScreen } from './lazy-screen.tsx';
import { messages } from './messages.ts';

type Props = { client: Client; consent: ConsentGate; device: Device };

const loadWaiter: LoadScreen = async () => (await import('./waiter/waiter-screen.tsx')).WaiterScreen;
const loadManager: LoadScreen = async () => (await import('./manager/manager-screen.tsx')).ManagerScreen;

/** Sign-in, then the screen that the address names. */
export function App({ client, consent, device }: Props) {
  const path = usePath();
  const [who, setWho] = useState<Who | null>(client.who());
  // A sign-in on this page ends with the form: somebody else may have set the password, which is then changed there.
  useEffect(() => client.onWho((next) => setWho((before) => (next && !before ? before : next))), [client]);
  if (who === null || who.role === 'customer')
    return <SignIn client={client} who={who} onSignedIn={() => setWho(client.who())} />;
  return <Screen key={who.userId} client={client} consent={consent} device={device} path={path} />;
}

function Screen({ client, consent, device, path }: Props & { path: string }) {
  const screen = screenOf(path);
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
      {isWaiterOpen && <LazyScreen load={loadWaiter} client={client} consent={consent} path={path} />}
      {screen === 'manager' && <LazyScreen load={loadManager} client={client} consent={consent} path={path} />}
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
