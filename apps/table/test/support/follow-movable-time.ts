// Loaded into each service before its program: what it takes for the time of day is that of the machine plus the
// milliseconds in TIME_OFFSET_FILE.
import { readFileSync } from 'node:fs';

const file = process.env['TIME_OFFSET_FILE'] ?? '';
const MachineDate = Date;
const now = (): number => MachineDate.now() + Number(readFileSync(file, 'utf8'));

// With this name: mongoose knows the type of a field by it.
globalThis.Date = class Date extends MachineDate {
  constructor(...given: []) {
    super(...(given.length === 0 ? ([now()] as unknown as []) : given));
  }
  static override now = now;
} as DateConstructor;
