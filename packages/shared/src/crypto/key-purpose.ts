/** What a key of the common key set signs: access and step-up tokens, or the receipts of transfers. */
export type KeyPurpose = 'tokens' | 'receipts';

/**
 * What the public key `jwk` verifies, by its member `purpose`. A key without one is for tokens; null for any other value: it
 * verifies nothing. A key never verifies what it was not made for.
 */
export function keyPurpose({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null {
  return purpose === 'tokens' || purpose === 'receipts' ? purpose : null;
}
