/**
 * Copies the text and returns true if that worked. Without TLS there is no clipboard API, so the element that shows the text is
 * selected and copied the old way.
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
