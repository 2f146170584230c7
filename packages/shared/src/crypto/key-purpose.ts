const purposes = ['tokens', 'receipts', 'consents'] as const;
/** The purpose of a key in the common key set: access and step-up tokens, receipts of transfers, or consents. */
export type KeyPurpose = (typeof purposes)[number];

/**
 * The purpose of the public key `jwk`, from its field `purpose`. A key without it is for tokens; any other value
 * returns null: the key verifies nothing. A key never verifies anything but its own purpose.
 */
export const keyPurpose = ({ purpose = 'tokens' }: { purpose?: unknown }): KeyPurpose | null =>
  purposes.find((each) => each === purpose) ?? null;
