import { options, type VNode } from 'preact';

/**
 * For each hidden text node, the element that a translator shows instead, such as Google's `<font>`; and the text node for each
 * such element.
 */
const shownFor = new WeakMap<Node, Element>();
const textOf = new WeakMap<Node, Text>();

/**
 * Makes the page work with browsers that translate it. A translator replaces each text node with another element, while Preact
 * keeps changing the removed text. Amounts, counts and states would no longer change on the screen. When a text changes, this
 * puts it back together with its neighbours, because the translator may have spread a sentence over them. The translator then
 * translates the new text.
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
    // Preact's name for a text's DOM node, which isn't an element and so has no ref.
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
