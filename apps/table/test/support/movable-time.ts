/** The time of this process, and so of all services in it, which a test moves. */
export type MovableTime = {
  /** Sets it to this many minutes after the machine's time; it goes on from there. */
  moveTo: (minutes: number) => void;
  close: () => void;
};

export function createMovableTime(): MovableTime {
  const MachineDate = Date;
  let offsetMs = 0;
  const now = (): number => MachineDate.now() + offsetMs;
  // With this name: mongoose knows the type of a field by it.
  globalThis.Date = class Date extends MachineDate {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([now()] as unknown as []) : given));
    }
    static override now = now;
  } as DateConstructor;
  return {
    moveTo: (minutes) => void (offsetMs = minutes * 60_000),
    close: () => void (globalThis.Date = MachineDate),
  };
}
