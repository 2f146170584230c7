import { isTransient, jitter } from '@comanda/shared/mongo/transactions';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';

type Options = {
  /** False gives it all up. Run anew, from the beginning, after each conflict. */
  write: (session: Session) => Promise<boolean>;
  /** What else is worth another try. */
  orAfter?: (error: unknown) => boolean;
};
/** How long a transaction is tried anew when it meets another, in milliseconds. */
const withinMs = 1500;

/** One transaction, again while others come between; false where `write` gave it up. */
export async function runUntilThrough(
  transactions: Pick<Transactions, 'run'>,
  { write, orAfter = () => false }: Options,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await transactions.run({ deadline }, async (session) => {
        const written = await write(session);
        if (!written) await session.abortTransaction();
        return written;
      });
    } catch (error) {
      const again = isTransient(error) || orAfter(error);
      if (!again || performance.now() > deadline) throw error;
      await jitter();
    }
  }
}
