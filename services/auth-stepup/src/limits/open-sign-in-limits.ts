import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { AuthStepupConfig } from '../config.ts';
import { createLimitStore, type LimitStore } from './limit-store.ts';
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts';

type Options = {
  config: AuthStepupConfig;
  redis: Parameters<typeof createLimitStore>[0]['redis'];
  logger: Logger;
  clock: Clock;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How many setup codes may be tried per minute from one IP address. A limit for all would let strangers hinder the owner. */
const maxSetups = 10;

/** Creates the limits for sign-ins, registrations and password guesses from the settings. */
export function openSignInLimits({ config, redis, logger, clock }: Options): SignInLimits {
  const limitOf = (name: string, maxUses: number, windowMs = minuteMs): LimitStore =>
    createLimitStore({ redis, name, maxUses, windowMs, logger, clock });
  return createSignInLimits({
    signIns: limitOf('sign-in', config.signInLimit),
    signInsOfAddress: limitOf('sign-in-address', config.addressSignInLimit),
    registrations: limitOf('registration', config.registrationLimit),
    wrongPasswords: limitOf('sign-in-failures', config.signInFailuresLimit, hourMs),
    setups: limitOf('setup-address', maxSetups),
    guests: limitOf('guest', config.guestLimit),
    refreshesOfSession: limitOf('refresh', config.refreshLimit),
    forgedRefreshesOfAddress: limitOf('refresh-forged', config.forgedRefreshLimit),
  });
}
