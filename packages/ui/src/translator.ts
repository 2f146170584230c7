import { options, type VNode } from 'preact';

/** The element that a translator shows in place of a text on the page, such as Google's `<font>`, and vice versa. */
const shownFor = new WeakMap<Node, Element>();
const textOf = new WeakMap<Node, Text>();

/**
 * Follows browsers that translate a page, which replace each text node with another element. Preact keeps changing the removed
 * text, so amounts, counts and states would not change on the screen. As soon as a text changes, this puts it back, together with
 * the texts beside it, because the translator may have spread one sentence over them. The translator then translates the new
 * text.
 */
export function followTranslator(): void {
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') putBack(record.target);
      else for (const removed of record.removedNodes) note(removed, record);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });

  function note(removed: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    if (!(removed instanceof Text) || removed.isConnected) return;
    const shown = [...addedNodes, previousSibling, nextSibling].find(isNewTranslation);
    if (!shown) return;
    shownFor.set(removed, shown);
    textOf.set(shown, removed);
    observer.observe(removed, { characterData: true });
  }
  const before = options.unmount?.bind(options);
  options.unmount = (vnode) => {
    before?.(vnode);
    // Preact's name for a text's DOM node, which isn't an element and has no ref.
    const { __e: node } = vnode as VNode & { __e?: Node | null };
    if (node) shownFor.get(node)?.remove();
  };
}

const isNewTranslation = (node: Node | null): node is Element => node?.nodeName === 'FONT' && !textOf.has(node);

function putBack(text: Node): void {
  const shown = shownFor.get(text);
  if (text.isConnected || !shown?.parentNode) return;
  for (const sibling of Array.from(shown.parentNode.childNodes)) {
    const hidden = textOf.get(sibling);
    if (hidden) sibling.replaceWith(hidden);
  }
}
