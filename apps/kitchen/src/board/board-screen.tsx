import type { Client } from '@comanda/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ShiftStart } from '../shift/shift-start.tsx';
import { isShiftOf, writeShift } from '../shift/shift.ts';
import { openBoardSession } from './board-session.ts';
import { BoardView } from './board-view.tsx';
import { Printout } from './printout.tsx';

type Props = { client: Client; device: string; isShown: boolean };

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
  if (!isShown) return null;
  if (!isWorking) return <ShiftStart client={client} session={session} onStart={() => work(true)} />;
  return (
    <>
      <BoardView client={client} session={session} onShift={() => work(false)} />
      <Printout session={session} />
    </>
  );
}
