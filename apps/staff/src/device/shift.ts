const key = 'comanda.kitchen.shift';

/** Returns true if this user has started a shift on this page. After a reload, the board then opens without a tap. */
export function isShiftOf(userId: number): boolean {
  try {
    return sessionStorage.getItem(key) === String(userId);
  } catch {
    return false;
  }
}
export function writeShift(userId: number | null): void {
  try {
    if (userId === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, String(userId));
  } catch {
    // Without storage, the shift must be started again after a reload.
  }
}
