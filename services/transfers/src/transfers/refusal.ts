import { signStatement, type Signer } from '@comanda/shared/crypto/statement';
import type { RefusedTransfer } from './transfer.ts';

type Refusal = Omit<RefusedTransfer, 'statement'>;

/** Returns the payload of the signed statement about a rejected transfer. It contains all facts about the rejection. */
export const toRefusal = ({ id, code, paymentStatus, userId, jti, pinVersion, idempotency, createdAt }: Refusal) => ({
  id,
  code,
  ...(paymentStatus !== undefined && { payment_status: paymentStatus }),
  user_id: userId,
  jti,
  pin_version: pinVersion,
  idempotency_key: idempotency?.key ?? null,
  request_fingerprint: idempotency?.fingerprint ?? null,
  created_at: createdAt.toISOString(),
});

export const signRefusal = (refusal: Refusal, signer: Signer): string =>
  signStatement(toRefusal(refusal), 'refusal+jws', signer);

/** Returns the payload of the signed statement that a token has expired, so that nothing can be posted with it. */
export const toExpiry = (jti: string, at: Date) => ({ jti, created_at: at.toISOString() });

export const signExpiry = (jti: string, at: Date, signer: Signer): string =>
  signStatement(toExpiry(jti, at), 'expiry+jws', signer);
