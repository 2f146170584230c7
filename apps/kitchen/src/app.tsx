import type { Client, Who } from '@comanda/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { LanguageButton } from '@comanda/ui/settings-buttons.tsx';
import { openBoardSession } from './board/board-session.ts';
import { BoardView } from './board/board-view.tsx';
import { messages } from './messages.ts';
import { ShiftStart } from './shift/shift-start.tsx';
import './app.css';

/** The whole app: sign-in, then the shift's start, then the board. */
export function App({ client, device }: { client: Client; device: string }) {
  const [who, setWho] = useState<Who | null>(client.who());
  useEffect(() => client.onWho(setWho), [client]);
  const isStaff = who !== null && who.role !== 'customer';
  return isStaff ? (
    <Staff key={who.userId} client={client} device={device} />
  ) : (
    <SignIn client={client} who={who} onSignedIn={() => setWho(client.who())} />
  );
}

function Staff({ client, device }: { client: Client; device: string }) {
  const session = useMemo(() => openBoardSession(client, device), [client, device]);
  useEffect(() => session.close, [session]);
  const [isWorking, setIsWorking] = useState(false);
  return isWorking ? (
    <BoardView client={client} session={session} onMenu={() => setIsWorking(false)} />
  ) : (
    <ShiftStart
      client={client}
      session={session}
      onStart={() => setIsWorking(true)}
      onSignOut={() => void client.signOut()}
    />
  );
}

function SignIn({ client, who, onSignedIn }: { client: Client; who: Who | null; onSignedIn: () => void }) {
  return (
    <main class="sign-in">
      <div class="sign-in-head">
        <h1>
          Comanda <small>{messages().kitchenScreen}</small>
        </h1>
        <LanguageButton />
      </div>
      {who && <p role="alert">{messages().forStaffOnly}</p>}
      <SignInForm client={client} onSignedIn={onSignedIn} />
    </main>
  );
}
