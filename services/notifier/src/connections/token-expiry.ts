import { problem, Problem, problemBody } from '@comanda/contracts/problem';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import type { Logger } from '@comanda/shared/runtime/logger';
import { isSameAudience } from '../feed/audience.ts';
import { verifyCaller } from './authorize-connection.ts';
import type { FeedSocket } from './socket-types.ts';

type Deps = { tokens: Pick<TokenVerifier, 'verify' | 'isKeyRemoved'>; logger: Logger; clock: Clock };

const minuteMs = 60_000;
/** How many tokens a client may send per minute. A client needs a new token only every 15 minutes. */
const maxTokensPerMinute = 10;
/**
 * How often the notifier looks up the token's key, in milliseconds. If the JWKS is more than 4 minutes old, a lookup fetches it
 * again.
 */
const checkKeyEveryMs = 15_000;

/**
 * Closes the socket when its token expires or its key leaves the JWKS, unless the client has sent a new token for the same user.
 * Closes the socket immediately if a new token is for another user or allows different events, because only a new connection can
 * set the cursor. Also closes the socket if the client sends more than ten tokens a minute, or a token while another is being
 * checked.
 */
export function closeOnTokenExpiry(socket: FeedSocket, { tokens, logger, clock }: Deps): { stop: () => void } {
  let timer = startTimer();

  function startTimer(): NodeJS.Timeout {
    const leftMs = socket.data.caller.expiresAt * 1000 - clock();
    return setTimeout(() => void checkToken(), Math.min(leftMs, checkKeyEveryMs));
  }
  async function checkToken(): Promise<void> {
    const { caller, token } = socket.data;
    const checked = timer;
    const isOver = caller.expiresAt * 1000 <= clock() || (await tokens.isKeyRemoved(token));
    if (timer !== checked) return; // a newer token has started its own timer
    if (isOver) {
      logger.debug({ user_id: caller.userId }, 'the token of a socket has expired, or its key was removed');
      socket.disconnect(true);
    } else if (socket.connected) timer = startTimer();
  }
  async function renew(token: unknown): Promise<void> {
    if (typeof token !== 'string') throw problem('invalid_token');
    const caller = await verifyCaller(tokens, token);
    if (caller.userId !== socket.data.caller.userId || !isSameAudience(caller, socket.data.caller)) {
      socket.disconnect(true);
      return;
    }
    Object.assign(socket.data, { caller, token });
    clearTimeout(timer);
    if (socket.connected) timer = startTimer();
  }
  async function replyTo(token: unknown): Promise<Record<string, unknown> | null> {
    try {
      await renew(token);
      return null;
    } catch (error) {
      const failure = error instanceof Problem ? error : problem('internal_error');
      if (failure !== error) logger.error({ err: error }, 'a token could not be renewed');
      return problemBody(failure, socket.id);
    }
  }
  let isRenewing = false;
  const countToken = createLocalCounter({ windowMs: minuteMs, clock, maxKeys: 1 });
  socket.on('token', async (token, reply) => {
    // Checking a token means verifying a signature on the only thread. Honest clients wait for the response before they send
    // another token.
    if (isRenewing || countToken('').count > maxTokensPerMinute) {
      socket.disconnect(true);
      return;
    }
    isRenewing = true;
    const outcome = await replyTo(token);
    isRenewing = false;
    if (typeof reply === 'function') reply(outcome);
  });
  return { stop: () => clearTimeout(timer) };
}
