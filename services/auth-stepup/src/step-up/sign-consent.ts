import type { AuthorizationDetails } from '@comanda/contracts/step-up';
import { signStatement, type Signer } from '@comanda/shared/crypto/statement';
import type { Clock } from '@comanda/shared/runtime/clock';

/**
 * The action that a user has authorized with a PIN. If `details` is null, the authorization covers any request to this endpoint.
 */
type ConsentFacts = {
  jti: string;
  userId: number;
  endpointKey: string;
  details: AuthorizationDetails | null;
  pinVersion: number;
};
/**
 * Signs that the user entered the PIN for this request. Called when the token is spent. The signature is stored, and proves later
 * that the user authorized the request.
 * @throws 503 `service_unavailable` until the keys are loaded
 */
export type SignConsent = (facts: ConsentFacts) => string;
type Options = { signer: () => Signer; issuer: string; clock: Clock };

export const createConsentSigner =
  ({ signer, issuer, clock }: Options): SignConsent =>
  ({ jti, userId, endpointKey, details, pinVersion }) => {
    const claims = {
      iss: issuer,
      sub: String(userId),
      jti,
      endpoint_key: endpointKey,
      ...(details && { authorization_details: details }),
      pin_version: pinVersion,
      iat: Math.floor(clock() / 1000),
    };
    return signStatement(claims, 'consent+jws', signer());
  };
