import {
  createOutbox,
  CallFailure,
  type Answer,
  type AskConsent,
  type CallOptions,
  type Client,
  type Input,
  type Outbox,
  type SensitiveCall,
} from '@comanda/client';
import { detailsOfCall } from '@comanda/client/consent';
import { signal, type ReadonlySignal } from '@preact/signals';

/** After this time without a response, the page says that nobody knows the result yet. */
const lateAfterMs = 8000;

export type PinDetails = NonNullable<ReturnType<typeof detailsOfCall>>;
/** Why the pad asks for the PIN again: it was wrong, or the server did not accept the authorization (`code`). */
export type PinHint = { kind: 'wrong'; left: number } | { kind: 'again'; code: string };
/** `wasAsked` is true if the response is to a question about an earlier attempt. */
type Done<R> = { kind: 'done'; answer: R; wasAsked: boolean };
/** `cause` is the failure that left the first attempt undecided; null if there was none on this page. */
type Refused = { kind: 'refused'; failure: CallFailure; wasAsked: boolean; cause: CallFailure | null };
/** How a call has ended. `left`: nobody waits for it, and its result changes nothing on this page. */
type Ended<R> = Done<R> | Refused | { kind: 'left' };
/** The first attempt has no response. `count` says how often the page has asked since, and `askedAtMs` when. */
type Asking = { kind: 'asking'; isLate: boolean; isClaimed: boolean; count: number; askedAtMs: number };
/**
 * How far the call is. `checking`: the server checks whether it is possible. `pin`: the user enters the PIN. `sending`: the call is
 * made with the PIN. `asking`: the page asks the server what happened, and cannot cause anything by asking.
 */
export type PinStage<R> =
  | { kind: 'checking' }
  | { kind: 'pin'; hint: PinHint | null }
  | { kind: 'sending'; isLate: boolean }
  | Asking
  | Done<R>
  | Refused;

export type PinCallOptions<R> = {
  /** The idempotency key, the same for all attempts at one intended action. */
  key?: string;
  /** Where to start. By default, the server checks the call before the user enters the PIN. */
  from?: { kind: 'checking' | 'asking' } | { kind: 'pin'; hint: PinHint | null };
  /** What the user authorizes, if the input does not say all of it. */
  details?: PinDetails | null;
  /** Runs before the first entry of the PIN. If it resolves to false, the call ends as left. */
  mayAskForPin?: () => Promise<boolean>;
  /** Checks whether a failure proves that the call had no effect. By default, any failure that the server has decided. */
  isDecided?: (failure: CallFailure) => boolean;
  /**
   * Asks what became of the call, with these options: the same key, and no authorization. Without this function, an undecided call
   * ends as refused. `noteClaimed` reports that the call is being processed.
   */
  ask?: (options: CallOptions, noteClaimed: () => void) => Promise<R>;
};

export type PinCall<R> = {
  stage: ReadonlySignal<PinStage<R>>;
  /** What the user authorizes with the PIN: the page shows this, and the token is valid for nothing else. */
  details: PinDetails | null;
  ended: Promise<Ended<R>>;
  /** Authorizes exactly `details`. Does nothing unless the stage is `pin`. */
  enter: (pin: string) => void;
  /** Asks now instead of after the pause. */
  askNow: () => void;
  /** Aborts a call before its PIN was entered. Later, money may have moved: the call continues. */
  leave: () => void;
  /** Aborts the call at any stage. One that may have arrived stays in the client's `pendingCalls`. */
  close: () => void;
};

const isFinal = ({ isUndecided, needsSignIn }: CallFailure): boolean => !isUndecided && !needsSignIn;

/**
 * Makes a call that needs the PIN, from the first check to the server's decision. After `leave` and `close`, whatever arrives late
 * finds an aborted signal and changes nothing.
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
  /** Aborted only after the PIN was entered: an aborted request counts as one that may have arrived. */
  const request = new AbortController();
  let end: (how: Ended<R>) => void = () => undefined;
  let fail: (defect: unknown) => void = () => undefined;
  const ended = new Promise<Ended<R>>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  let questions: Outbox<string> | undefined;
  /** The PIN, until the server asks for it. */
  let entered: string | null = null;
  let waiting: ((pin: string | null) => void) | null = null;
  let hasConsented = false;

  function show(next: PinStage<R>): void {
    if (lifetime.signal.aborted) return;
    if (next.kind !== 'sending' && next.kind !== 'asking') clearTimeout(lateTimer);
    if (next.kind === 'done' || next.kind === 'refused') {
      questions?.close();
      // First: the owner goes on before a page is drawn, and no page shows a call that has ended.
      end(next);
    }
    stage.value = next;
  }
  const isOnItsWay = (): boolean => stage.peek().kind === 'sending' || stage.peek().kind === 'asking';

  const askForPin: AskConsent = async ({ challenge, refused }) => {
    if (!details) throw new Error(`${name} does not say all of what the PIN is for`);
    // The server did not accept the authorization: if that decides nothing, the page asks what happened before anything else.
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
      // The client stores the call until it is decided.
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
  // Later: the caller has the call before anything else happens.
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
