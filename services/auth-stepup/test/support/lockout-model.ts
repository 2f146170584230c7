import { pin } from './pins.ts';

/** A running check. `lost`: its slot was freed, so it has no result. `outdated`: the PIN has changed since the check started. */
export type Slot = { deadline: number; lost: boolean; outdated: boolean; seen: Seen };
/** The state that a check read from MongoDB at its start: whether there were failures that a right PIN clears. */
type Seen = { hasFailures: boolean };
type Checked = {
  tried: string;
  seen: Seen;
  now: number;
  /** `not stored`: MongoDB does not count the result, because Redis's response was lost or the PIN has changed. */
  storing?: 'stored' | 'not stored';
};

/** A model of the lockout's guarantees without I/O. Times are in milliseconds since 1970. */
export class LockoutModel {
  pin: string = pin;
  /** The number of wrong PINs in Redis; null if Redis has lost it. */
  inRedis: number | null = null;
  /** The number of wrong PINs in MongoDB. */
  stored = 0;
  /** The number of wrong PINs in MongoDB, including those from checks that had lost their slots. */
  guesses = 0;
  /** True if MongoDB contains a block, even an expired one. */
  hasBlock = false;
  blockedUntil = 0;
  isBlockInRedis = false;
  slots: Slot[] = [];

  /** Returns the current number of wrong PINs. If Redis has lost its number, the result leaves at least one attempt. */
  wrong(): number {
    return this.inRedis ?? this.inMongo();
  }
  private inMongo(): number {
    return Math.min(Math.max(0, this.stored), 2);
  }
  /** Returns the reason to reject an attempt; null if the PIN may be checked. */
  refusal(now: number): string | null {
    if (this.blockedUntil > now) return 'transaction_password_blocked';
    if (this.isBlockInRedis) this.inRedis = 0;
    Object.assign(this, { blockedUntil: 0, isBlockInRedis: false });
    this.slots = this.slots.filter(({ deadline }) => deadline > now);
    const wrong = Math.max(this.wrong(), this.inMongo());
    return wrong + this.slots.length >= 3 ? 'transaction_password_busy' : null;
  }
  result({ tried, now, seen, storing = 'stored' }: Checked): string {
    if (tried === this.pin) return this.right(seen, storing);
    this.inRedis = this.wrong() + 1;
    if (this.inRedis < 3) {
      if (storing === 'stored') {
        this.stored++;
        this.guesses++;
        if (this.isBlockedByMongo(now)) return 'transaction_password_blocked';
      }
      const counted = storing === 'stored' ? Math.max(this.inRedis, this.stored) : this.inRedis;
      return `transaction_password_invalid ${3 - counted}`;
    }
    this.stored -= this.inRedis - 1; // MongoDB has counted all but the last one
    Object.assign(this, { blockedUntil: now + 30 * 60_000, isBlockInRedis: true, guesses: 0, hasBlock: true });
    return 'transaction_password_blocked';
  }
  /**
   * Returns true if MongoDB alone blocks the PIN: after three wrong PINs if Redis has lost some, or after six including lost
   * checks.
   */
  private isBlockedByMongo(now: number): boolean {
    if (this.stored < 3 && this.guesses < 6) return false;
    Object.assign(this, { stored: 0, guesses: 0, hasBlock: true, blockedUntil: now + 30 * 60_000 });
    return true;
  }
  private right({ hasFailures }: Seen, storing: 'stored' | 'not stored'): string {
    const cleared = this.inRedis ?? this.stored;
    if (storing === 'stored') {
      this.stored -= cleared;
      if (cleared !== 0 || hasFailures) Object.assign(this, { guesses: 0, hasBlock: false });
    }
    this.inRedis = 0;
    return 'right';
  }
  private seen(): Seen {
    return { hasFailures: this.hasBlock || this.guesses > 0 };
  }
  /** Checks a PIN without a pause and returns the outcome. */
  attempt(tried: string, now: number): string {
    return this.refusal(now) ?? this.result({ tried, now, seen: this.seen() });
  }
  /** Starts a check that ends later. Returns its slot. */
  begin(now: number): Slot {
    const slot = { deadline: now + 10_000, lost: false, outdated: false, seen: this.seen() };
    this.slots.push(slot);
    return slot;
  }
  /** Ends a running check and returns the outcome; null if there is none. Even a check without a slot counts as a guess. */
  end(slot: Slot, checked: Omit<Checked, 'seen'>): string | null {
    this.slots = this.slots.filter((other) => other !== slot);
    if (!slot.lost && slot.deadline > checked.now) return this.result({ ...checked, seen: slot.seen });
    if (checked.tried === this.pin || checked.storing === 'not stored' || slot.outdated) return null;
    this.guesses++;
    return this.isBlockedByMongo(checked.now) ? 'transaction_password_blocked' : null;
  }
  change(newPin: string): void {
    Object.assign(this, { pin: newPin, stored: 0, guesses: 0, hasBlock: false });
  }
  reset(newPin: string): void {
    this.loseRedis();
    Object.assign(this, { pin: newPin, stored: 0, guesses: 0, hasBlock: false, blockedUntil: 0 });
  }
  /** Deletes all keys in Redis. Wrong PINs and the block remain in MongoDB. */
  loseRedis(): void {
    for (const slot of this.slots) slot.lost = true;
    Object.assign(this, { slots: [], inRedis: null, isBlockInRedis: false });
  }
}
