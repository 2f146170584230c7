/** Returns the local date of the restaurant at a moment, for example `2026-11-20`. */
export type BusinessDay = (at: Date) => string;

/** @param timeZone an IANA name, for example `America/Sao_Paulo` */
export function createBusinessDay(timeZone: string): BusinessDay {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}
