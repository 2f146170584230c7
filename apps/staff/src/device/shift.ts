const key = 'comanda.kitchen.shift';

/** Whether this user has started a shift on this page: after a reload the board is back without a tap. */
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
    // Without storage the shift is started again after a reload.
  }
}
