import { options, type VNode } from 'preact';

/**
 * The element that a translator shows instead of each text node, such as Google's `<font>`. `textOf` contains the reverse: the
 * text node that each of these elements replaces.
 */
const shownFor = new WeakMap<Node, Element>();
const textOf = new WeakMap<Node, Text>();

/**
 * Makes the page work in browsers that translate it. A translator replaces each text node with an element of its own, but Preact
 * continues to change the removed text node, so amounts, counts and states would stay out of date on the screen. When such a text
 * changes, this function puts the original text back, together with its neighbours, because the translator may have spread a
 * sentence over several nodes. The translator then translates the new text.
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
    // `__e` is Preact's internal name for the DOM node of a text. A text has no ref, because it isn't an element.
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
