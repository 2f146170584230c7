/**
 * Copies the text to the clipboard. Returns true if that worked. Pages without TLS have no clipboard API, so there the element
 * that shows the text is selected and copied with `execCommand`.
 */
export async function copyText(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
