import { onDevice } from '../on-device.ts';

/** Returns true if this user has started a shift on this page. After a reload, the board then opens without a tap. */
export const isShiftOf = (userId: number): boolean => onDevice.shift.get() === userId;
/** Stores whose shift this page shows; null ends it. Without storage, the shift must be started again after a reload. */
export const writeShift = (userId: number | null): void => onDevice.shift.write(userId);
