import { Problem, problem } from '@comanda/contracts/problem';
import * as internal from '@comanda/contracts/internal';
import { stepUp } from '@comanda/contracts/step-up';
import type { Api } from '@comanda/shared/http/api';
import { authorize } from '@comanda/shared/http/authenticate';
import type { Caller, TokenVerifier } from '@comanda/shared/http/token-verifier';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import { originOf } from '../security-log/security-event.ts';
import { getLiveUser, getLiveUsers, orProblem, type LiveSessionDeps } from '../sessions/live-session.ts';
import { movesMoney } from '../stops/stop.ts';
import type { User } from '../users/user.ts';
import { consumeStepUp, type ConsumeStepUpDeps } from './consume-step-up.ts';
import { issueStepUp, type IssueStepUpDeps } from './issue-step-up.ts';
import { stepUpLifetimeS } from './step-up-token.ts';

export type StepUpRouteDeps = IssueStepUpDeps &
  ConsumeStepUpDeps &
  LiveSessionDeps & { tokens: TokenVerifier; tracer: Tracer };

export function registerStepUpRoutes({ handle }: Api, deps: StepUpRouteDeps): void {
  handle(stepUp, async (call) => {
    const { caller, context, body } = call;
    const requester = { caller, origin: originOf(call), traceparent: context.traceparent };
    const step_up_token = await issueStepUp(deps, body, requester);
    const { endpoint_key } = body;
    return {
      status: 201,
      body: { step_up_token, token_type: 'step-up' as const, expires_in: stepUpLifetimeS, endpoint_key },
    };
  });
  handle(internal.consumeStepUp, async ({ caller, body, sender, context, isAwaited }) => {
    const [user, isStopped] = await Promise.all([getLiveUser(deps, caller), areStopped(deps, [body])]);
    await checkAwaited(isAwaited);
    const { traceparent } = context;
    return { status: 200, body: await spend(deps, { user, body, sender, isStopped, traceparent }) };
  });
  handle(internal.consumeStepUpList, async ({ body: { requests }, sender, isAwaited }) => {
    const callers = await Promise.all(
      requests.map(({ access_token }) => readCaller(deps, access_token).catch(orProblem)),
    );
    const [isStopped, users] = await Promise.all([areStopped(deps, requests), getLiveUsers(deps, callers)]);
    await checkAwaited(isAwaited);
    const results = await Promise.all(
      requests.map(({ access_token: _token, traceparent = '', ...body }, index) =>
        answerOne(deps, { body, sender, isStopped, traceparent, user: users[index] }),
      ),
    );
    return { status: 200, body: { results } };
  });
}

/**
 * Throws if the calling service no longer waits for the response and has already sent its own 503. In that case, the token must
 * stay unspent.
 */
async function checkAwaited(isAwaited: () => Promise<boolean>): Promise<void> {
  if (!(await isAwaited()))
    throw problem('service_unavailable', {
      detail: 'The connection closed before the token was spent. Repeat the request.',
    });
}

/**
 * Returns true if a manager has stopped these calls. All of a service's calls are stopped together, so one read is enough for the
 * whole list.
 */
const areStopped = async (
  { stops }: Pick<StepUpRouteDeps, 'stops'>,
  calls: readonly Pick<internal.ConsumeStepUp, 'endpoint_key'>[],
): Promise<boolean> =>
  calls.some(({ endpoint_key }) => movesMoney(endpoint_key)) && (await stops.get()).transfers !== null;

type Asked = {
  body: internal.ConsumeStepUp;
  sender: string | null;
  isStopped: boolean;
  /** The trace of the request that spends the token. Empty if a request in a list has none. */
  traceparent: string;
};

/** Spends a token in a span of its own, so that each entry in a list appears in its request's trace. */
async function spend(deps: StepUpRouteDeps, { traceparent, ...input }: Asked & { user: User }) {
  const span = deps.tracer.startSpan(traceparent, { kind: 'internal' });
  const end = (error: string | null): void =>
    span?.end({ name: spanName, attributes: { 'comanda.step_up.endpoint_key': input.body.endpoint_key }, error });
  try {
    const { jti, pinVersion, first, jws } = await consumeStepUp(deps, input);
    end(null);
    return { jti, pin_version: pinVersion, first, consent: jws };
  } catch (error) {
    end(error instanceof Problem ? error.code : 'Error');
    throw error;
  }
}
const spanName = 'spend step-up token';

async function readCaller({ tokens }: Pick<StepUpRouteDeps, 'tokens'>, accessToken: string): Promise<Caller> {
  const caller = await tokens.verify(accessToken);
  authorize(internal.consumeStepUp, caller);
  return caller;
}

/** Returns the result for one request in a list sent to `POST /internal/step-up/consume-list`. */
async function answerOne(deps: StepUpRouteDeps, { user, ...asked }: Asked & { user: User | Problem | undefined }) {
  try {
    if (!user || user instanceof Problem) throw user ?? problem('invalid_token');
    return { status: 200, body: await spend(deps, { user, ...asked }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { code: error.code } };
  }
}
