import type { Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { useEffect, useState } from 'preact/hooks';
import { signInMessages } from './messages.ts';
import { isUnknownTablet, type Person } from './person.ts';
import { TabletPin } from './tablet-pin.tsx';
import './tablet-sign-in.css';

type TabletSignInProps = {
  client: Client;
  credential: string;
  onSignedIn: () => void;
  /** Called if a manager has removed this tablet. */
  onUnknown: () => void;
};

/** Asks who is signing in, and for the tablet PIN. */
export function TabletSignIn({ client, credential, onSignedIn, onUnknown }: TabletSignInProps) {
  const words = signInMessages();
  const [people, setPeople] = useState<readonly Person[] | null>(null);
  const [chosen, setChosen] = useState<Person | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    async function read(): Promise<void> {
      setFailure(null);
      try {
        setPeople((await client.calls.readTablet({ tablet_credential: credential })).people);
      } catch (error) {
        if (isUnknownTablet(error)) onUnknown();
        else setFailure(error);
      }
    }
    void read();
  }, [client, credential, attempt, onUnknown]);
  if (chosen)
    return (
      <TabletPin
        client={client}
        credential={credential}
        person={chosen}
        onSignedIn={onSignedIn}
        onUnknown={onUnknown}
        onBack={() => setChosen(null)}
      />
    );
  if (failure !== null)
    return (
      <ErrorPanel words={failureWords(failure)}>
        <Button size="small" onClick={() => setAttempt(attempt + 1)}>
          {words.tryAgain}
        </Button>
      </ErrorPanel>
    );
  return (
    people && (
      <>
        <h2 class="form-title">{words.who}</h2>
        {people.length === 0 && <p>{words.nobody}</p>}
        <ul class="tablet-people" aria-label={words.people}>
          {people.map((person) => (
            <li key={person.id}>
              <Button size="large" onClick={() => setChosen(person)}>
                {person.name}
              </Button>
            </li>
          ))}
        </ul>
        {people.length > 0 && <p class="dim">{words.missing}</p>}
      </>
    )
  );
}
