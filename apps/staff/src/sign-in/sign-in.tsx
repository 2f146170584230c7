import type { Client, Who } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Lazy, lazyModule } from '@comanda/ui/lazy.tsx';
import { LanguageButton } from '@comanda/ui/settings-buttons.tsx';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { goTo } from '../address.ts';
import { onDevice } from '../on-device.ts';
import { takeShift } from '../tablet/next-person.ts';
import { signInMessages } from './messages.ts';

type SignInProps = { client: Client; who: Who | null; endedAtMs: number | undefined; onSignedIn: () => void };

const tabletSignIn = lazyModule(() => import('./tablet-sign-in.tsx'));
const firstManager = lazyModule(() => import('../setup/first-manager.tsx'));

const askAgainMs = 5_000;

/** Returns true once the server has said that the restaurant still needs its first manager. Asks until there is an answer. */
function useNeedsFirstManager(client: Client, isAsked: boolean): boolean {
  const [isNeeded, setIsNeeded] = useState(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout>;
    const ask = (): Promise<unknown> =>
      client.calls.getSetup().then(
        ({ needs_first_manager: needs }) => isCurrent && setIsNeeded(needs),
        // The form to sign in says what is wrong.
        () => isCurrent && (timer = setTimeout(() => void ask(), askAgainMs)),
      );
    void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, isAsked]);
  return isNeeded;
}

/**
 * Asks for the e-mail and password; a registered tablet lists the people who have a tablet PIN. In a new restaurant, asks for its
 * first manager.
 */
export function SignIn({ client, who, endedAtMs, onSignedIn }: SignInProps) {
  const words = signInMessages();
  const [tablet, setTablet] = useState(onDevice.tablet.get);
  const [isRemoved, setIsRemoved] = useState(false);
  const [isByPassword, setIsByPassword] = useState(false);
  // A device on which staff have worked belongs to a restaurant that has a manager.
  const isNew = useNeedsFirstManager(client, tablet === null && endedAtMs === undefined);
  const isFirst = isNew && !isByPassword;
  const begin = (): void => {
    const next = client.who();
    if (next) takeShift(next.userId);
    // The last person on a shared tablet may have left a page open that only managers can use.
    if (tablet && next?.role !== 'manager' && location.hash.startsWith('#/manager')) goTo('#/');
    onSignedIn();
  };
  const forget = useCallback((): void => {
    onDevice.tablet.write(null);
    setTablet(null);
    setIsRemoved(true);
  }, []);
  const isByTablet = tablet !== null && !isByPassword;
  return (
    <main class={classNames('sign-in', isByTablet && 'sign-in-tablet', endedAtMs !== undefined && 'sign-in-ended')}>
      <div class="row wrap gap-3 sign-in-head">
        <h1>
          Comanda <small>{tablet?.name ?? words.staff}</small>
        </h1>
        <LanguageButton />
      </div>
      {endedAtMs !== undefined && <p role="alert">{words.ended(formatTime(endedAtMs))}</p>}
      {who && !isFirst && <p role="alert">{words.forStaffOnly}</p>}
      {isRemoved && <ErrorPanel words={{ happened: words.removed, toDo: words.removedToDo }} />}
      {isByTablet ? (
        <Lazy module={tabletSignIn}>
          {({ TabletSignIn }) => (
            <TabletSignIn client={client} credential={tablet.credential} onSignedIn={begin} onUnknown={forget} />
          )}
        </Lazy>
      ) : isFirst ? (
        <Lazy module={firstManager}>
          {({ FirstManager }) => (
            <FirstManager client={client} onSignedIn={begin} onBack={() => setIsByPassword(true)} />
          )}
        </Lazy>
      ) : (
        <SignInForm client={client} onSignedIn={begin} />
      )}
      {!tablet && !isRemoved && !isNew && (
        <details class="sign-in-forgotten">
          <summary>{words.forgottenAsk}</summary>
          <p>{words.forgotten}</p>
        </details>
      )}
      {isNew && isByPassword && (
        <Button kind="quiet" onClick={() => setIsByPassword(false)}>
          {words.toSetup}
        </Button>
      )}
      {tablet && (
        <Button kind="quiet" onClick={() => setIsByPassword(!isByPassword)}>
          {isByPassword ? words.toNames : words.byPassword}
        </Button>
      )}
    </main>
  );
}
