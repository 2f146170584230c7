/** Tamperings that `verify-ledger` does not find, and why. `docs/ledger.md` has the same reasons. */
export const notFound: readonly { names: RegExp; why: string }[] = [
  {
    names: /^instances/,
    why: 'The heartbeats of instances are not part of the ledger.',
  },
  {
    names: /^preparations/,
    why: 'How the database was prepared is not part of the ledger. What says there that a newer release has done it leaves rules and indexes unverified, which is said.',
  },
  {
    names: /^bill_payment_attempts/,
    why: 'Notes of bill payments that are under way are not part of the ledger. A forged one moves no money; it can make a payment fail.',
  },
  {
    names: /^transfers \(posted.*\): outbox/,
    why: 'Events that wait to be published disappear when they are published. What is stored of them is not published: the event of a transfer is made again from its signed row.',
  },
  {
    names:
      /^counters(: a document added| .*: (value (changed|as an equal double|as a fraction|as 64 bits)|unknown field added.*|doubled)| \(transfer\): value lowered)$/,
    why: 'A counter that is set higher leaves out ids. Ids may have gaps; no id is given twice as long as the counter is above all of them.',
  },
  {
    names: /^((accounts|transfers|checkpoints).* as an equal double|keys.*: _id as (an equal double|64 bits))$/,
    why: 'An integer that is stored as another type of number with the same value is the same number to MongoDB and to every reader.',
  },
  {
    names: /^keys.*: (unknown field added.*|sealed_private_key with another end)$/,
    why: 'Nobody reads an unknown field of a key, or the bits of the last character of base64 that mean nothing.',
  },
  {
    names: /after the newest checkpoint\): (deleted|written changed)$/,
    why: 'What was written after the newest checkpoint is signed by the next one. Until then a refused or expired row, or an account without entries, can be deleted.',
  },
  {
    names: /^checkpoints \(newest\): deleted$/,
    why: 'The database alone does not show that its newest checkpoints were deleted. Their signatures are in the logs, and `--checkpoint` demands one of them.',
  },
];
