import { pin } from './pins.ts';

/** A running check. `lost`: something has freed its slot, so that it has no result. */
export type Slot = { deadline: number; lost: boolean };

/** What the lockout promises, as a model without I/O. Times are milliseconds since the epoch. */
export class LockoutModel {
  pin: string = pin;
  wrong = 0;
  blockedUntil = 0;
  slots: Slot[] = [];

  /** The refusal of an attempt before its check; null if it is checked. */
  refusal(now: number): string | null {
    if (this.blockedUntil > now) return 'transaction_password_blocked';
    if (this.blockedUntil > 0) Object.assign(this, { wrong: 0, blockedUntil: 0 });
    this.slots = this.slots.filter(({ deadline }) => deadline > now);
    return this.wrong + this.slots.length >= 3 ? 'transaction_password_busy' : null;
  }
  /** The result of a check. */
  result(tried: string, now: number): string {
    if (tried === this.pin) return this.right();
    if (++this.wrong < 3) return `transaction_password_invalid ${3 - this.wrong}`;
    this.blockedUntil = now + 30 * 60_000;
    return 'transaction_password_blocked';
  }
  right(): string {
    this.wrong = 0;
    return 'right';
  }
  /** An attempt whose check ends at once. */
  attempt(tried: string, now: number): string {
    return this.refusal(now) ?? this.result(tried, now);
  }
  /** A check that begins, and does not end yet. */
  begin(now: number): Slot {
    const slot = { deadline: now + 10_000, lost: false };
    this.slots.push(slot);
    return slot;
  }
  /** The end of a running check; null if it has no result. */
  end(slot: Slot, { tried, now }: { tried: string; now: number }): string | null {
    this.slots = this.slots.filter((other) => other !== slot);
    return slot.lost || slot.deadline <= now ? null : this.result(tried, now);
  }
  reset(newPin: string): void {
    for (const slot of this.slots) slot.lost = true;
    Object.assign(this, { pin: newPin, wrong: 0, blockedUntil: 0, slots: [] });
  }
  /** Redis lost all keys: the wrong results and the slots. A block is also stored in MongoDB. */
  loseRedis(now: number): void {
    for (const slot of this.slots) slot.lost = true;
    Object.assign(this, { slots: [], ...(this.blockedUntil > now ? {} : { wrong: 0, blockedUntil: 0 }) });
  }
}
