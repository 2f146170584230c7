import type { Client, Who } from '@comanda/client/core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { ReleaseLine } from '@comanda/ui/web-app/release-line.tsx';
import { goTo, invitationOf, screenOf, usePath } from './address.ts';
import './app.css';
import { countUnsent, openUnsentWork } from './device/unsent-work.ts';
import { isShiftOf } from './device/shift.ts';
import type { ScreenRelease } from './release/open-screen-release.ts';

type Props = { client: Client; release: ScreenRelease };

/** The board, with the device's sounds and settings. These outlive a shift, so that the next user needs no tap to hear sounds. */
const openBoard = (release: ScreenRelease) =>
  lazyModule(async () => {
    const { BoardScreen, openDevice } = await import('./board/board-screen.tsx');
    return { BoardScreen, device: openDevice(release) };
  });
const waiterScreen = lazyModule(() => import('./waiter/waiter-screen.tsx'));
const managerScreen = lazyModule(() => import('./manager/manager-screen.tsx'));
const signIn = lazyModule(() => import('./sign-in/sign-in.tsx'));
const invitationScreen = lazyModule(() => import('./invitation/invitation-screen.tsx'));

/** `ended`: the user whose shift is still shown after the sign-in has ended, and when it ended; null if there is none. */
type AppState = { who: Who | null; ended: { who: Who; atMs: number } | null; signIns: number };

/**
 * Shows the sign-in, then the screen that the address names. If a sign-in ends during a shift, the tickets stay visible, but
 * dimmed and disabled. When the same user signs in again, the board continues where it was.
 */
export function App({ client, release }: Props) {
  const [{ who, ended, signIns }, setState] = useState<AppState>({ who: client.who(), ended: null, signIns: 0 });
  const isStaff = who !== null && who.role !== 'customer';
  const shown = isStaff ? who : ended?.who;
  const path = usePath(shown ?? null);
  useEffect(
    () =>
      client.onWho((next) =>
        setState((before) => {
          // The form itself calls `onSignedIn` at its end, because the user may first have to change a password that a manager
          // has set.
          if (next && !before.who) return before;
          const left = next === null && before.who !== null && isShiftOf(before.who.userId) ? before.who : null;
          return { ...before, who: next, ended: left && { who: left, atMs: client.now() } };
        }),
      ),
    [client],
  );
  const startAnew = (): void => setState({ who: client.who(), ended: null, signIns: signIns + 1 });
  const invitation = invitationOf(path);
  const boardScreen = useMemo(() => openBoard(release), [release]);
  const screens = { board: boardScreen, waiter: waiterScreen, manager: managerScreen };
  const next = isStaff || invitation !== null ? null : screens[screenOf(path)];
  // The next screen is loaded while the user signs in.
  useEffect(() => {
    if (next) void signIn.load().then(next.load);
  }, [next]);
  if (invitation !== null)
    return (
      <Lazy key={invitation} module={invitationScreen}>
        {({ InvitationScreen }) => (
          <InvitationScreen
            client={client}
            token={invitation}
            onSignedIn={() => {
              startAnew();
              goTo('#/');
            }}
          />
        )}
      </Lazy>
    );
  return (
    <>
      <ReleaseLine release={release} />
      {shown && (
        <div
          key={`${shown.userId}.${signIns}`}
          class={isStaff ? 'app-screen' : 'app-screen app-ended'}
          inert={!isStaff}
        >
          <Screen {...{ client, boardScreen, path }} userId={shown.userId} />
        </div>
      )}
      {!isStaff && (
        <Lazy module={signIn}>
          {({ SignIn }) => <SignIn client={client} who={who} endedAtMs={ended?.atMs} onSignedIn={startAnew} />}
        </Lazy>
      )}
    </>
  );
}

type ScreenProps = { client: Client; boardScreen: ReturnType<typeof openBoard>; path: string; userId: number };
function Screen({ client, boardScreen, path, userId }: ScreenProps) {
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
      {/* The board stays open behind the other screens, to send bumps and to play sounds for new orders. */}
      {isBoardOpen && (
        <Lazy module={boardScreen}>
          {({ BoardScreen, device }) => <BoardScreen {...{ client, device, unsent }} isShown={isBoard} />}
        </Lazy>
      )}
      {/* The waiters' screen stays open too, to send orders and served dishes that have no response yet. */}
      {isWaiterOpen && (
        <Lazy module={waiterScreen}>{({ WaiterScreen }) => <WaiterScreen {...{ client, unsent, path }} />}</Lazy>
      )}
      {screen === 'manager' && (
        <Lazy module={managerScreen}>{({ ManagerScreen }) => <ManagerScreen {...{ client, path }} />}</Lazy>
      )}
    </>
  );
}
