import type { Client } from '@comanda/client/core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Lazy, lazyModule, useLazy } from '@comanda/ui/lazy.tsx';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { openDevice, type Device } from '../device/device.ts';
import { isShiftOf, writeShift } from '../device/shift.ts';
import { openBoardSession, type BoardSession } from './board-session.ts';
import { BoardView } from './board-view.tsx';

const printout = lazyModule(() => import('./printout.tsx'));
const shiftStart = lazyModule(() => import('../shift/shift-start.tsx'));

export { openDevice };

type Props = { client: Client; device: Device; unsent: UnsentList; isShown: boolean };

/** The page that starts a shift, then the board. Behind another screen, the board keeps working. */
export function BoardScreen({ client, device, unsent, isShown }: Props) {
  const session = useMemo(() => openBoardSession(client, device, unsent), [client, device, unsent]);
  useEffect(() => session.close, [session]);
  const userId = client.who()?.userId ?? 0;
  const [isWorking, setIsWorking] = useState(isShiftOf(userId));
  function work(isNowWorking: boolean): void {
    writeShift(isNowWorking ? userId : null);
    setIsWorking(isNowWorking);
  }
  // This also runs after a reload, because nobody taps a wall screen.
  useEffect(() => {
    if (isWorking) void device.awake.keep();
  }, [isWorking, device]);
  const isQuiet = isShown && isWorking && session.isQuiet.value;
  useEffect(() => device.release.setQuiet(isQuiet), [device, isQuiet]);
  const { Printout } = useLazy(printout, session.printout.value) ?? {};
  useLazy(shiftStart);
  if (!isShown) return null;
  if (!isWorking) return <Start client={client} session={session} onStart={() => work(true)} />;
  return (
    <>
      <BoardView client={client} session={session} onShift={() => work(false)} />
      {Printout && <Printout session={session} />}
    </>
  );
}

type StartProps = { client: Client; session: BoardSession; onStart: () => void };
/** The page that starts a shift, with the board's data about its orders. */
function Start({ client, session, onStart }: StartProps) {
  const tickets = session.board.cards.value.map(({ ticket }) => ticket);
  return (
    <Lazy module={shiftStart}>
      {({ ShiftStart }) => (
        <ShiftStart
          {...{ client, tickets, onStart }}
          device={session.device}
          stationSettings={session.stationSettings}
          isLive={session.feedState.value.kind === 'live'}
          now={session.now.value}
          clockOffsetMs={session.clockOffsetMs.value}
        />
      )}
    </Lazy>
  );
}
