import {
  CallFailure,
  type Answer,
  type AskConsent,
  type CallOptions,
  type Client,
  type Input,
  type SensitiveCall,
} from '@comanda/client/core';
import { detailsOfCall } from '@comanda/client/consent';
import { createOutbox, type Outbox } from '@comanda/client/outbox';
import { signal, type ReadonlySignal } from '@preact/signals';

/** How long to wait for a response before the page says that the result is not known yet, in milliseconds. */
const lateAfterMs = 8000;

export type PinDetails = NonNullable<ReturnType<typeof detailsOfCall>>;
/**
 * Why the pad asks for the PIN again. `wrong`: the PIN was wrong, and `left` attempts remain. `again`: the server did not accept
 * the authorization, for the reason in `code`.
 */
export type PinHint = { kind: 'wrong'; left: number } | { kind: 'again'; code: string };
/** The call has succeeded. `wasAsked` is true if the page learned this by asking about an earlier attempt. */
type Done<R> = { kind: 'done'; answer: R; wasAsked: boolean };
/** The server has rejected the call. `cause` is the failure that left the first attempt undecided, or null if none did. */
type Refused = { kind: 'refused'; failure: CallFailure; wasAsked: boolean; cause: CallFailure | null };
/** How a call has ended. `left` means that the page no longer waits for the result and must not show it. */
type Ended<R> = Done<R> | Refused | { kind: 'left' };
/**
 * The first attempt got no response. `count` is how often the page has asked about it since, and `askedAtMs` is when it last
 * asked, by the device's clock.
 */
type Asking = { kind: 'asking'; isLate: boolean; isClaimed: boolean; count: number; askedAtMs: number };
/**
 * How far the call is. `checking`: the server checks whether the call is possible. `pin`: the user enters the PIN. `sending`: the
 * call is being made with the PIN. `asking`: the page asks the server for the result, which can't cause another transfer.
 */
export type PinStage<R> =
  | { kind: 'checking' }
  | { kind: 'pin'; hint: PinHint | null }
  | { kind: 'sending'; isLate: boolean }
  | Asking
  | Done<R>
  | Refused;

export type PinCallOptions<R> = {
  /** The idempotency key, which is the same for all attempts at one action. */
  key?: string;
  /** The stage to start in. By default, the server checks the call before the user enters the PIN. */
  from?: { kind: 'checking' | 'asking' } | { kind: 'pin'; hint: PinHint | null };
  /** What the user authorizes, if this does not follow from the input. */
  details?: PinDetails | null;
  /** Called before the user enters the PIN for the first time. If it resolves to false, the call ends as `left`. */
  mayAskForPin?: () => Promise<boolean>;
  /** Checks whether a failure proves that the call had no effect. By default, any decision of the server does. */
  isDecided?: (failure: CallFailure) => boolean;
  /**
   * Asks the server for the result of an earlier attempt. Pass `options` to the call: they contain the same key, and no
   * authorization. Call `noteClaimed` if the call is still being processed. Without this function, an undecided call ends as
   * refused.
   */
  ask?: (options: CallOptions, noteClaimed: () => void) => Promise<R>;
};

export type PinCall<R> = {
  stage: ReadonlySignal<PinStage<R>>;
  /** What the user authorizes with the PIN, such as payee and amount. The page must show exactly these details. */
  details: PinDetails | null;
  ended: Promise<Ended<R>>;
  /** Authorizes exactly `details` with this PIN. Does nothing unless the stage is `pin`. */
  enter: (pin: string) => void;
  /** Asks the server for the result now, instead of after the pause. */
  askNow: () => void;
  /** Ends the call if the PIN was not entered yet. Once it was entered, the call continues, because money may have moved. */
  leave: () => void;
  /** Ends the call at any stage. If the request may have reached the server, it stays in the client's `pendingCalls`. */
  close: () => void;
};

const isFinal = ({ isUndecided, needsSignIn }: CallFailure): boolean => !isUndecided && !needsSignIn;

/**
 * Makes a call that needs the PIN, from the first check to the server's decision. Responses that arrive after the call has ended
 * change nothing.
 */
export function pinCall<N extends SensitiveCall, F = never>(
  client: Pick<Client, 'calls'>,
  name: N,
  options: { input: Input<N> } & PinCallOptions<Answer<N> | F>,
): PinCall<Answer<N> | F> {
  type R = Answer<N> | F;
  const { input, key, from = { kind: 'checking' }, mayAskForPin, isDecided = isFinal, ask } = options;
  const details = options.details ?? detailsOfCall(name, input);
  const stage = signal<PinStage<R>>(from.kind === 'pin' ? from : { kind: 'checking' });
  const lifetime = new AbortController();
  /**
   * Aborts the request. Used only after the PIN was entered, because the client treats an aborted request as one that may have
   * reached the server.
   */
  const request = new AbortController();
  let end: (how: Ended<R>) => void = () => undefined;
  let fail: (defect: unknown) => void = () => undefined;
  const ended = new Promise<Ended<R>>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  let questions: Outbox<string> | undefined;
  /** The PIN that the user entered before the server asked for it, otherwise null. */
  let entered: string | null = null;
  let waiting: ((pin: string | null) => void) | null = null;
  let hasConsented = false;

  function show(next: PinStage<R>): void {
    if (lifetime.signal.aborted) return;
    if (next.kind !== 'sending' && next.kind !== 'asking') clearTimeout(lateTimer);
    if (next.kind === 'done' || next.kind === 'refused') {
      questions?.close();
      // Ends the call before the stage changes, so that no page shows a call that has ended.
      end(next);
    }
    stage.value = next;
  }
  const isOnItsWay = (): boolean => stage.peek().kind === 'sending' || stage.peek().kind === 'asking';

  const askForPin: AskConsent = async ({ challenge, refused }) => {
    if (!details) throw new Error(`${name} does not say all of what the PIN is for`);
    // If the server did not accept the authorization and the call may have had an effect, the page asks for the result before it
    // asks for the PIN again.
    if (hasConsented && !refused && !isDecided(challenge)) return null;
    if (!hasConsented && !refused && entered === null && mayAskForPin && !(await mayAskForPin())) close();
    if (lifetime.signal.aborted) return null;
    const pin = entered ?? (await readPad(hintOf(challenge, refused)));
    entered = null;
    hasConsented = pin !== null;
    return pin === null ? null : { transaction_password: pin, authorization_details: [details] };
  };
  function readPad(hint: PinHint | null): Promise<string | null> {
    return new Promise((resolve) => {
      waiting = resolve;
      show({ kind: 'pin', hint });
    });
  }

  async function send(): Promise<void> {
    const given = { ...(key !== undefined && { idempotencyKey: key }), signal: request.signal, consent: askForPin };
    try {
      const call = client.calls[name] as (input: Input<N>, options: CallOptions) => Promise<Answer<N>>;
      show({ kind: 'done', answer: await call(input, given), wasAsked: false });
    } catch (error) {
      if (lifetime.signal.aborted) return;
      if (!(error instanceof CallFailure)) return fail(error);
      if (ask && !isDecided(error)) askUntilAnswered(ask, error);
      else show({ kind: 'refused', failure: error, wasAsked: false, cause: null });
    }
  }
  function noteAsking(part: Partial<Asking>): void {
    const before = stage.peek();
    const blank = { isLate: before.kind !== 'sending' || before.isLate, isClaimed: false, count: 0, askedAtMs: 0 };
    show({ ...blank, ...(before.kind === 'asking' && before), ...part, kind: 'asking' });
  }
  function askUntilAnswered(question: NonNullable<typeof ask>, cause: CallFailure | null): void {
    noteAsking({});
    questions = createOutbox<string, R>({
      // Nothing is stored here, because the client stores the call itself until it is decided.
      storage: { get: () => [], write: () => {} },
      keyOf: (each) => each,
      send: (idempotencyKey, { signal: aborted }) => {
        const { count = 0 } = stage.peek() as Partial<Asking>;
        noteAsking({ count: count + 1, askedAtMs: Date.now() });
        const never = { idempotencyKey, consent: 'never', repeat: 'never', signal: aborted } as const;
        return question(never, () => noteAsking({ isClaimed: true }));
      },
      isDecided,
      onSent: (_key, answer) => show({ kind: 'done', answer, wasAsked: true }),
      onRefused: (_key, failure) => show({ kind: 'refused', failure, wasAsked: true, cause }),
    });
    questions.add(key ?? '');
  }
  function close(): void {
    if (isOnItsWay()) request.abort();
    lifetime.abort();
    clearTimeout(lateTimer);
    questions?.close();
    waiting?.(null);
    end({ kind: 'left' });
  }

  if (from.kind === 'asking') noteAsking({});
  // Starts only after the caller has received the returned call.
  queueMicrotask(() => {
    if (lifetime.signal.aborted) return;
    if (from.kind === 'checking') void send();
    else if (from.kind === 'asking' && ask) askUntilAnswered(ask, null);
  });
  return {
    stage,
    details,
    ended,
    enter: (pin) => {
      if (stage.peek().kind !== 'pin') return;
      const answer = waiting;
      waiting = null;
      show({ kind: 'sending', isLate: false });
      lateTimer = setTimeout(() => {
        const at = stage.peek();
        if (at.kind === 'sending' || at.kind === 'asking') show({ ...at, isLate: true });
      }, lateAfterMs);
      if (answer) return answer(pin);
      entered = pin;
      void send();
    },
    askNow: () => questions?.tryNow(),
    leave: () => {
      if (!isOnItsWay()) close();
    },
    close,
  };
}

function hintOf({ code }: CallFailure, refused: CallFailure | undefined): PinHint | null {
  if (refused?.is('transaction_password_invalid')) return { kind: 'wrong', left: refused.problem.attempts_remaining };
  return code === 'step_up_required' ? null : { kind: 'again', code };
}
