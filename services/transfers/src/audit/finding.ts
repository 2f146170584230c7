/** A row that is not as it was written, and how that was found. */
export type Finding = { row: string; what: string };

export const transferRow = (id: number): string => `transfer ${id}`;
export const accountRow = (id: number): string => `account ${id}`;
export const checkpointRow = (number: number): string => `checkpoint ${number}`;
