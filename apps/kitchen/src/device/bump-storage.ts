import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import type { Bump } from '../model/bump.ts';

/** Bumps belong to the user who made them: nobody else's session sends them. */
const nameOf = (userId: number): string => `kitchen.bumps.${userId}`;

/** The bumps of this user that the server has not answered. */
export function loadBumps(userId: number): readonly Bump[] {
  try {
    const stored: unknown = JSON.parse(readSetting(nameOf(userId)) ?? '[]');
    return Array.isArray(stored) ? (stored as Bump[]) : [];
  } catch {
    return []; // not written by this app
  }
}

export const saveBumps = (userId: number, bumps: readonly Bump[]): void =>
  writeSetting(nameOf(userId), bumps.length === 0 ? null : JSON.stringify(bumps));
