import { menuImport } from '@comanda/contracts/rules';

/** Why a file's text can't be read. */
export type Unreadable = 'spreadsheet' | 'tooLarge' | 'failed';

/** The first bytes of a ZIP file, which an `.xlsx` or `.ods` file is. */
const startsAsZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * Reads a file's text. Excel in Brazil saves CSV files as Windows-1252, and Unicode text as UTF-16. Any other program writes
 * UTF-8.
 */
export async function readFile(file: File): Promise<{ text: string } | { fault: Unreadable }> {
  if (file.size > menuImport.maxKilobytes * 1_024) return { fault: 'tooLarge' };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return startsAsZip(bytes) ? { fault: 'spreadsheet' } : { text: decode(bytes) };
  } catch {
    return { fault: 'failed' }; // it was moved or deleted in the meantime
  }
}

/** Decodes a text file. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
