import { formatDate, formatTime } from '@comanda/ui/format.ts';
import { useAccount } from './account-context.ts';
import { accountMessages } from './messages.ts';

/** Says whether the user has a PIN, and whether it is blocked. */
export function PinState() {
  const words = accountMessages();
  const state = useAccount().pin.state.value;
  if (!state) return <p class="dim account-quiet">{words.reading}</p>;
  const { status, created_at: at, attempts_remaining: left } = state;
  return (
    <>
      <p>
        <strong>
          {status === 'blocked' && state.blocked_until !== undefined
            ? words.blockedUntil(formatTime(state.blocked_until))
            : words.pinStates[status]}
        </strong>
        {at !== undefined && (
          <>
            <br />
            <span class="dim account-quiet">{words.pinSetAt(formatDate(at), formatTime(at))}</span>
          </>
        )}
      </p>
      {status === 'usable' && left !== undefined && left < 3 && <p class="account-warning">{words.triesLeft(left)}</p>}
    </>
  );
}
