/** Changes to the database that `verify-ledger` cannot find. `docs/ledger.md` lists the same reasons. */
export const notFound: readonly { names: RegExp; why: string }[] = [
  {
    names: /^instances/,
    why: 'Heartbeats of instances are not part of the ledger.',
  },
  {
    names: /^preparations/,
    why: "The database's preparation is not part of the ledger. If it names a newer release, rules and indexes stay unverified. The command says so.",
  },
  {
    names: /^bill_payment_attempts/,
    why: 'Attempts of bill payments under way are not part of the ledger. A forged one moves no money, but it can make a payment fail.',
  },
  {
    names: /^pix_(charges|marks|receipts)\b/,
    why: 'Pix are not part of the ledger. The bank is asked again before one of its Pix pays a bill, and a refund needs a signed consent.',
  },
  {
    names: /^transfers \(posted.*\): outbox/,
    why: 'Events that wait to be published are not part of the ledger. The service makes each event from its signed row.',
  },
  {
    names:
      /^counters(: a document added| .*: (value (changed|as an equal double|as a fraction|as 64 bits)|unknown field added.*|doubled)| \(transfer\): value lowered)$/,
    why: 'A raised counter skips ids. Ids may have gaps, and none is used twice while the counter is above all of them.',
  },
  {
    names: /^((accounts|transfers|checkpoints).* as an equal double|keys.*: _id as (an equal double|64 bits))$/,
    why: 'An integer stored as another type of number is the same number to MongoDB and to every reader.',
  },
  {
    names: /^keys.*: (unknown field added.*|sealed_private_key with another end)$/,
    why: 'Unknown fields of a key and unused bits of base64 have no effect.',
  },
  {
    names: /after the newest checkpoint\): (deleted|written changed)$/,
    why: 'The next checkpoint signs the newest rows. Until then, a rejected or expired row, or an account without entries, can be deleted.',
  },
  {
    names: /^checkpoints \(newest\): deleted$/,
    why: 'The database alone does not show that its newest checkpoints were deleted. The logs have their signatures: pass one with `--checkpoint`.',
  },
];
