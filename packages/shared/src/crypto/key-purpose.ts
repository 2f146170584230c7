const purposes = ['tokens', 'receipts', 'consents'] as const;
/** What a key of the common key set signs: access and step-up tokens, the receipts of transfers, or consents. */
export type KeyPurpose = (typeof purposes)[number];

/**
 * What the public key `jwk` verifies, by its member `purpose`. A key without one is for tokens; null for any other value: it
 * verifies nothing. A key never verifies what it was not made for.
 */
export const keyPurpose = ({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null =>
  purposes.find((each) => each === purpose) ?? null;
