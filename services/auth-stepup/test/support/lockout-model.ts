import { pin } from './pins.ts';

/** A check that is held in the middle; `lost` where what happened since has taken its place away. */
export type Place = { deadline: number; lost: boolean };

/** Ten lines, and the time: what the lockout promises. Times are milliseconds since the epoch. */
export class LockoutModel {
  pin: string = pin;
  wrong = 0;
  blockedUntil = 0;
  places: Place[] = [];
  /** What a try is refused with before it is checked; null where it is checked. */
  attempt(now: number): string | null {
    if (this.blockedUntil > now) return 'transaction_password_blocked';
    if (this.blockedUntil > 0) Object.assign(this, { wrong: 0, blockedUntil: 0 });
    this.places = this.places.filter(({ deadline }) => deadline > now);
    return this.wrong + this.places.length >= 3 ? 'transaction_password_busy' : null;
  }
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
  /** A try that nothing else is going on beside. */
  try(tried: string, now: number): string {
    return this.attempt(now) ?? this.result(tried, now);
  }
  hold(now: number): Place {
    const place = { deadline: now + 10_000, lost: false };
    this.places.push(place);
    return place;
  }
  /** The end of a check that was held; null where its result came too late to be one. */
  release(place: Place, { tried, now }: { tried: string; now: number }): string | null {
    this.places = this.places.filter((each) => each !== place);
    return place.lost || place.deadline <= now ? null : this.result(tried, now);
  }
  reset(next: string): void {
    for (const place of this.places) place.lost = true;
    Object.assign(this, { pin: next, wrong: 0, blockedUntil: 0, places: [] });
  }
  /** Redis has forgotten everything. The block stands in MongoDB; a count below it is gone, and so is every place. */
  flush(now: number): void {
    for (const place of this.places) place.lost = true;
    Object.assign(this, { places: [], ...(this.blockedUntil > now ? {} : { wrong: 0, blockedUntil: 0 }) });
  }
}
