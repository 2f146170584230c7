import type { Client } from '@comanda/client';
import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Device } from '../device/device.ts';
import { useLoaded } from '../use-loaded.ts';
import { ShiftStart } from '../shift/shift-start.tsx';
import { isShiftOf, writeShift } from '../shift/shift.ts';
import { openBoardSession, type BoardSession } from './board-session.ts';
import { BoardView } from './board-view.tsx';

const loadPrintout = async (): Promise<ComponentType<{ session: BoardSession }>> =>
  (await import('./printout.tsx')).Printout;

type Props = { client: Client; device: Device; isShown: boolean };

/** The start of the shift, then the board. Behind another screen it goes on working. */
export function BoardScreen({ client, device, isShown }: Props) {
  const session = useMemo(() => openBoardSession(client, device), [client, device]);
  useEffect(() => session.close, [session]);
  const userId = client.who()?.userId ?? 0;
  const [isWorking, setIsWorking] = useState(isShiftOf(userId));
  function work(isNowWorking: boolean): void {
    writeShift(isNowWorking ? userId : null);
    setIsWorking(isNowWorking);
  }
  const { Loaded: Printout } = useLoaded(loadPrintout, session.printer.printout.value);
  if (!isShown) return null;
  if (!isWorking) return <Start {...{ client, session }} onStart={() => work(true)} />;
  return (
    <>
      <BoardView client={client} session={session} onShift={() => work(false)} />
      {Printout && <Printout session={session} />}
    </>
  );
}

/** The shift is started with what the board knows of its orders. */
function Start({ client, session, onStart }: { client: Client; session: BoardSession; onStart: () => void }) {
  const tickets = session.board.cards.value.map(({ ticket }) => ticket);
  return (
    <ShiftStart
      {...{ client, tickets, onStart }}
      device={session.device}
      isLive={session.feedState.value.kind === 'live'}
      now={session.now.value}
      clockOffsetMs={session.clockOffsetMs.value}
    />
  );
}
