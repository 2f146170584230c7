import { normalEmail } from '@comanda/contracts/email-address';
import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/sessions';
import { networkOf } from '@comanda/shared/http/client-address';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import { beginSession, type BeginSessionDeps } from '../sessions/begin-session.ts';
import type { Devices } from '../sessions/device-cookie.ts';
import type { UserStore } from '../users/user-store.ts';
import { matchesSetupCode } from './setup-code.ts';
import type { SetupStore } from './setup-store.ts';

export type CreateFirstManagerDeps = BeginSessionDeps & {
  users: Pick<UserStore, 'findByEmail' | 'hasManager' | 'insertInTransaction'>;
  setup: Pick<SetupStore, 'findCode' | 'removeCode'>;
  hasher: PasswordHasher;
  limits: Pick<SignInLimits, 'countSetup'>;
  devices: Pick<Devices, 'remember'>;
  unitOfWork: AuditedWork;
  recordSecurityEvent: RecordSecurityEvent;
  logger: Logger;
};
type NewManager = { code: string; name: string; email: string; password: string };
type SignedIn = { pair: TokenPair; cookie: string };

/**
 * Creates the first manager for a person who has the setup code, removes the code and signs the manager in. Of several requests
 * at the same time, one creates a manager.
 * @throws 401 `setup_code_invalid`; 409 `setup_complete`, `email_taken`; 422 `password_too_weak`; 429 `rate_limited`
 */
export async function createFirstManager(
  deps: CreateFirstManagerDeps,
  { code, name, email: givenEmail, password }: NewManager,
  { origin, secure }: { origin: Origin; secure: boolean },
): Promise<SignedIn> {
  const { users, setup, hasher, limits, devices, unitOfWork, recordSecurityEvent, logger, clock } = deps;
  await limits.countSetup(origin.address);
  if (await users.hasManager()) throw problem('setup_complete');
  if (!(await isRightCode(deps, code))) {
    logger.info({ network: networkOf(origin.address) }, 'a wrong setup code was entered');
    throw problem('setup_code_invalid');
  }
  const email = normalEmail(givenEmail);
  if (await users.findByEmail(givenEmail)) throw problem('email_taken');
  const passwordHash = await hashNewPassword(hasher, { password, name, email, owner: passwordTurnOf(origin.address) });

  const user = await unitOfWork.run(async (session) => {
    // Checked again, because hashing takes time. Every first manager removes the code, so a transaction at the same time is
    // retried and finds this manager.
    if (await users.hasManager(session)) throw problem('setup_complete');
    if (!(await isRightCode(deps, code, session))) throw problem('setup_code_invalid');
    await setup.removeCode(session);
    const time = clock();
    const manager = { name, email, passwordHash, role: 'manager', addedBy: null, createdAt: time } as const;
    const added = await users.insertInTransaction(manager, session);
    const { id, role } = added;
    const actor = { id, role };
    return {
      value: added,
      records: [{ type: 'user_created', time, actor, userId: id, details: { role }, origin }],
      events: [],
    };
  });
  const pair = await beginSession(deps, { user, seat: null }, origin);
  await recordSecurityEvent({ userId: user.id, type: 'signed_in', origin });
  return { pair, cookie: devices.remember(email, { secure }) };
}

async function isRightCode(
  { setup, clock }: Pick<CreateFirstManagerDeps, 'setup' | 'clock'>,
  typed: string,
  session?: Session,
): Promise<boolean> {
  const stored = await setup.findCode(session);
  return stored !== null && matchesSetupCode(typed, stored.hash) && clock() < stored.expiresAt;
}
