import type { Client, Who } from '@comanda/client/core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ReleaseLine } from '@comanda/ui/web-app/release-line.tsx';
import { goTo, invitationOf, screenOf, usePath } from './address.ts';
import './app.css';
import { BoardScreen } from './board/board-screen.tsx';
import type { Device } from './device/device.ts';
import { countUnsent, openUnsentWork } from './device/unsent-work.ts';
import { LazyPart, LazyScreen, type LoadScreen } from './lazy-screen.tsx';
import { isShiftOf } from './device/shift.ts';

type Props = { client: Client; device: Device };

const loadWaiter: LoadScreen = async () => (await import('./waiter/waiter-screen.tsx')).WaiterScreen;
const loadSignIn = async () => (await import('./sign-in/sign-in.tsx')).SignIn;
const loadInvitation = async () => (await import('./invitation/invitation-screen.tsx')).InvitationScreen;
const loadManager: LoadScreen = async () => (await import('./manager/manager-screen.tsx')).ManagerScreen;

/** `ended`: whose shift stands on the screen, and since when nobody is signed in; null if nobody's. */
type AppState = { who: Who | null; ended: { who: Who; atMs: number } | null; signIns: number };

/**
 * Sign-in, then the screen that the address names. A sign-in that ends in the middle of a shift leaves the tickets on the
 * screen, dimmed and not to be bumped, and the board goes on where it was when the same user is back.
 */
export function App({ client, device }: Props) {
  const path = usePath();
  const [{ who, ended, signIns }, setState] = useState<AppState>({ who: client.who(), ended: null, signIns: 0 });
  useEffect(
    () =>
      client.onWho((next) =>
        setState((before) => {
          // A sign-in on this page ends with the form: somebody else may have set the password, which is then changed there.
          if (next && !before.who) return before;
          const left = next === null && before.who !== null && isShiftOf(before.who.userId) ? before.who : null;
          return { ...before, who: next, ended: left && { who: left, atMs: client.now() } };
        }),
      ),
    [client],
  );
  const startAnew = (): void => setState({ who: client.who(), ended: null, signIns: signIns + 1 });
  const invitation = invitationOf(path);
  if (invitation !== null)
    return (
      // The keys: each has its own script, and one must not stand for the other.
      <LazyPart
        key={invitation}
        load={loadInvitation}
        client={client}
        token={invitation}
        onSignedIn={() => {
          startAnew();
          goTo('#/');
        }}
      />
    );
  const isStaff = who !== null && who.role !== 'customer';
  const shown = isStaff ? who : ended?.who;
  return (
    <>
      <ReleaseLine release={device.release} />
      {shown && (
        <div
          key={`${shown.userId}.${signIns}`}
          class={isStaff ? 'app-screen' : 'app-screen app-ended'}
          inert={!isStaff}
        >
          <Screen {...{ client, device, path }} userId={shown.userId} />
        </div>
      )}
      {!isStaff && (
        <LazyPart
          key="sign-in"
          load={loadSignIn}
          client={client}
          who={who}
          endedAtMs={ended?.atMs}
          onSignedIn={startAnew}
        />
      )}
    </>
  );
}

function Screen({ client, device, path, userId }: Props & { path: string; userId: number }) {
  const screen = screenOf(path);
  const isBoard = screen === 'board';
  const [isBoardOpen, setIsBoardOpen] = useState(isBoard);
  useEffect(() => setIsBoardOpen((isOpen) => isOpen || isBoard), [isBoard]);
  const isWaiter = screen === 'waiter';
  const unsent = useMemo(() => openUnsentWork(userId), [userId]);
  useEffect(() => unsent.close, [unsent]);
  const [isWaiterOpen, setIsWaiterOpen] = useState(isWaiter || countUnsent(userId).waiterWork > 0);
  useEffect(() => setIsWaiterOpen((isOpen) => isOpen || isWaiter), [isWaiter]);
  return (
    <>
      {/* The board stays open behind the other screens: it sends what was bumped, and sounds for new orders. */}
      {isBoardOpen && <BoardScreen {...{ client, device, unsent }} isShown={isBoard} />}
      {/* So does the waiters' screen: it sends orders that have no answer, and what was served. */}
      {isWaiterOpen && <LazyScreen load={loadWaiter} {...{ client, unsent, path }} />}
      {screen === 'manager' && <LazyScreen load={loadManager} {...{ client, unsent, path }} />}
    </>
  );
}
