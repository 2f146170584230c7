import { problem, Problem, problemBody } from '@comanda/contracts/problems';
import type { TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { Logger } from '@comanda/shared/runtime/logger';
import { isSameAudience } from '../feed/audience.ts';
import { verifyCaller } from './admit.ts';
import type { FeedSocket } from './wire.ts';

/**
 * Closes the socket when its token expires, unless `token` brought another one of the same user before. Another user's
 * closes it at once; so does one that lets this user hear more or less than before, since only a new connection can say
 * from where.
 */
export function keepTokenAlive(
  socket: FeedSocket,
  { tokens, logger }: { tokens: TokenVerifier; logger: Logger },
): { stop: () => void } {
  const expire = (): void => {
    logger.debug({ user_id: socket.data.caller.userId }, 'the token of a socket has expired');
    socket.disconnect(true);
  };
  const start = (): NodeJS.Timeout =>
    setTimeout(expire, Math.min(socket.data.caller.expiresAt * 1000 - Date.now(), 2 ** 31 - 1));
  let timer = start();

  async function renew(token: unknown): Promise<void> {
    if (typeof token !== 'string') throw problem('invalid_token');
    const caller = await verifyCaller(token, tokens);
    if (caller.userId !== socket.data.caller.userId || !isSameAudience(caller, socket.data.caller)) {
      socket.disconnect(true);
      return;
    }
    socket.data.caller = caller;
    clearTimeout(timer);
    if (socket.connected) timer = start();
  }
  async function answerTo(token: unknown): Promise<Record<string, unknown> | null> {
    try {
      await renew(token);
      return null;
    } catch (error) {
      const failure = error instanceof Problem ? error : problem('internal_error');
      if (failure !== error) logger.error({ err: error }, 'a token could not be renewed');
      return problemBody(failure, socket.id);
    }
  }
  // One after the other, so that the last one that came is the one that counts.
  let before: Promise<unknown> = Promise.resolve();
  socket.on('token', (token, answer) => {
    before = before
      .then(() => answerTo(token))
      .then((outcome) => (typeof answer === 'function' ? answer(outcome) : undefined));
  });
  return { stop: () => clearTimeout(timer) };
}
