import type { Client } from '@comanda/client/core';
import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import type { Device } from '../device/device.ts';
import { useLoaded } from '../use-loaded.ts';
import { NotLoaded } from '../lazy-screen.tsx';
import type { ShiftStartProps } from '../shift/shift-start.tsx';
import { isShiftOf, writeShift } from '../device/shift.ts';
import { openBoardSession, type BoardSession } from './board-session.ts';
import { BoardView } from './board-view.tsx';

const loadPrintout = async (): Promise<ComponentType<{ session: BoardSession }>> =>
  (await import('./printout.tsx')).Printout;

const loadShiftStart = async (): Promise<ComponentType<ShiftStartProps>> =>
  (await import('../shift/shift-start.tsx')).ShiftStart;

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
  const { Loaded: Printout } = useLoaded(loadPrintout, session.printout.value);
  const { Loaded: ShiftStart, hasFailed } = useLoaded(loadShiftStart);
  if (!isShown) return null;
  if (!isWorking && !ShiftStart) return hasFailed ? <NotLoaded /> : null;
  if (!isWorking && ShiftStart) return <Start {...{ client, session, ShiftStart }} onStart={() => work(true)} />;
  return (
    <>
      <BoardView client={client} session={session} onShift={() => work(false)} />
      {Printout && <Printout session={session} />}
    </>
  );
}

type StartProps = {
  client: Client;
  session: BoardSession;
  ShiftStart: ComponentType<ShiftStartProps>;
  onStart: () => void;
};
/** The page that starts a shift, with the board's data about its orders. */
function Start({ client, session, ShiftStart, onStart }: StartProps) {
  const tickets = session.board.cards.value.map(({ ticket }) => ticket);
  return (
    <ShiftStart
      {...{ client, tickets, onStart }}
      device={session.device}
      stationSettings={session.stationSettings}
      isLive={session.feedState.value.kind === 'live'}
      now={session.now.value}
      clockOffsetMs={session.clockOffsetMs.value}
    />
  );
}
