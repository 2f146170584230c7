import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { useRouter } from '../contexts.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import { BlockedPage } from './blocked.tsx';
import { accountMessages } from './messages.ts';
import { PinSteps, type Task } from './pin-steps.tsx';
import { useHeadingFocus } from './use-heading-focus.ts';

function PinSet({ onLeave }: { onLeave: () => void }) {
  const words = accountMessages();
  return (
    <>
      <main class="page-main account-main">
        <span class="account-symbol account-symbol-good">
          <Icon name="check" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.pinSet}
        </h1>
        <p class="account-quiet">{words.pinSetText}</p>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={onLeave}>
          {words.done}
        </Button>
      </footer>
    </>
  );
}

/** Create, change or reset the PIN. */
export function PinPage() {
  const words = accountMessages();
  const [isSet, setIsSet] = useState(false);
  const { pin } = useAccount();
  const { goBack } = useRouter();
  const state = pin.state.value;
  const task: Task | null = pin.task.value ?? (state?.status === 'absent' ? 'create' : state ? 'change' : null);
  useEffect(() => {
    void pin.read();
    return () => pin.choose(null);
  }, [pin]);
  useHeadingFocus(isSet ? 'set' : (task ?? ''));
  const back = words.security;
  const leave = (): void => {
    pin.choose(null);
    goBack({ page: 'account', part: 'security' });
  };
  if (!isSet && task === 'change' && state?.status === 'blocked')
    return <BlockedPage until={state.blocked_until ?? null} back={back} onBack={leave} />;
  return (
    <div class="page">
      <AccountHead back={back} onBack={leave} />
      {isSet ? (
        <PinSet onLeave={leave} />
      ) : task ? (
        <PinSteps key={task} task={task} onSet={() => setIsSet(true)} />
      ) : (
        <main class="page-main">
          <h1 class="spoken" tabIndex={-1}>
            {words.pinTitle}
          </h1>
          <p class="account-quiet">{words.reading}</p>
        </main>
      )}
    </div>
  );
}
