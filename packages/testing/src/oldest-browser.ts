import type { BrowserContext } from 'playwright-core';

/**
 * Built-ins of the language and the DOM that Safari 15.4, Chrome 100 or Firefox 100 lacks, according to MDN's compatibility data.
 * `docs/browsers.md` explains why these browsers were selected.
 */
const newerBuiltIns: Readonly<Record<string, string>> = {
  AbortSignal: 'any timeout',
  Array: 'fromAsync',
  'Array.prototype': 'findLast findLastIndex toReversed toSorted toSpliced with',
  'ArrayBuffer.prototype': 'resize resizable transfer transferToFixedLength detached maxByteLength',
  'CSSStyleSheet.prototype': 'replace replaceSync',
  Document: 'parseHTMLUnsafe',
  'Document.prototype': 'startViewTransition prerendering caretPositionFromPoint adoptedStyleSheets',
  'Element.prototype': 'checkVisibility computedStyleMap getHTML setHTMLUnsafe moveBefore currentCSSZoom ariaNotify',
  Error: 'captureStackTrace isError',
  'HTMLButtonElement.prototype': 'popoverTargetElement popoverTargetAction commandForElement command',
  'HTMLDialogElement.prototype': 'requestClose closedBy',
  'HTMLElement.prototype':
    'inert popover showPopover hidePopover togglePopover attributeStyleMap virtualKeyboardPolicy writingSuggestions editContext',
  'HTMLFormElement.prototype': 'requestSubmit',
  'HTMLInputElement.prototype': 'showPicker popoverTargetElement popoverTargetAction',
  'HTMLSelectElement.prototype': 'showPicker',
  'HTMLImageElement.prototype': 'fetchPriority',
  HTMLScriptElement: 'supports',
  'HTMLTemplateElement.prototype': 'shadowRootMode',
  Intl: 'DurationFormat Segmenter',
  'Intl.NumberFormat.prototype': 'formatRange formatRangeToParts',
  'Intl.PluralRules.prototype': 'selectRange',
  'Intl.Locale.prototype': 'getCalendars getHourCycles getNumberingSystems getTextInfo getTimeZones getWeekInfo',
  Iterator: 'from concat zip zipKeyed',
  'Iterator.prototype': 'drop every filter find flatMap forEach map reduce some take toArray',
  JSON: 'isRawJSON rawJSON',
  Map: 'groupBy',
  'Map.prototype': 'getOrInsert getOrInsertComputed',
  Math: 'f16round sumPrecise',
  'Navigator.prototype':
    'audioSession userActivation userAgentData windowControlsOverlay virtualKeyboard wakeLock keyboard connection scheduling',
  Object: 'groupBy',
  Promise: 'try withResolvers',
  ReadableStream: 'from',
  'ReadableStream.prototype': 'values',
  RegExp: 'escape',
  'Request.prototype': 'duplex priority',
  Response: 'json',
  'Selection.prototype': 'getComposedRanges direction',
  'Set.prototype': 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  'ShadowRoot.prototype': 'getHTML setHTMLUnsafe',
  'String.prototype': 'isWellFormed toWellFormed',
  Uint8Array: 'fromBase64 fromHex',
  'Uint8Array.prototype': 'setFromBase64 setFromHex toBase64 toHex',
  URL: 'canParse parse',
  'URLSearchParams.prototype': 'size',
  'WeakMap.prototype': 'getOrInsert getOrInsertComputed',
  globalThis:
    'AsyncDisposableStack CSSContainerRule CSSLayerBlockRule CloseWatcher CompressionStream CookieStore DecompressionStream DisposableStack FileSystemObserver Float16Array Highlight HTMLFencedFrameElement NavigateEvent OffscreenCanvas Sanitizer SuppressedError Temporal ToggleEvent URLPattern ViewTransition WebTransport cookieStore documentPictureInPicture navigation requestIdleCallback cancelIdleCallback scheduler fetchLater trustedTypes',
};

/**
 * CSS features that at least one of these browsers lacks. `in` says where a feature appears: in a selector, or as the name of a
 * rule, property or value.
 */
const newerCss: readonly { name: string; in: 'selector' | 'rule' | 'property' | 'value'; pattern: RegExp }[] = [
  { name: ':has', in: 'selector', pattern: /:has\(/ },
  { name: ':user-valid', in: 'selector', pattern: /:user-(?:in)?valid/ },
  { name: ':popover-open', in: 'selector', pattern: /:popover-open/ },
  { name: ':modal', in: 'selector', pattern: /:modal|:open(?![\w-])/ },
  { name: ':dir', in: 'selector', pattern: /:dir\(/ },
  { name: ':autofill', in: 'selector', pattern: /:autofill/ },
  { name: ':nth-child(of)', in: 'selector', pattern: /:nth-(?:last-)?child\([^)]* of / },
  { name: '@container', in: 'rule', pattern: /^@container/ },
  { name: '@starting-style', in: 'rule', pattern: /^@starting-style/ },
  { name: '@property', in: 'rule', pattern: /^@property/ },
  { name: '@scope', in: 'rule', pattern: /^@scope/ },
  { name: '@view-transition', in: 'rule', pattern: /^@(?:view-transition|position-try|function)/ },
  { name: 'anchor positioning', in: 'property', pattern: /^(?:anchor-|position-(?:anchor|area|try|visibility))/ },
  { name: 'container-type', in: 'property', pattern: /^container(?:-type|-name)?$/ },
  { name: 'content-visibility', in: 'property', pattern: /^content-visibility$|^contain-intrinsic-/ },
  { name: 'field-sizing', in: 'property', pattern: /^field-sizing$/ },
  { name: 'interpolate-size', in: 'property', pattern: /^interpolate-size$|^transition-behavior$/ },
  {
    name: 'animation-timeline',
    in: 'property',
    pattern: /^(?:animation|scroll|view)-timeline|^view-transition-|^animation-range/,
  },
  { name: 'mask', in: 'property', pattern: /^mask/ },
  { name: 'overscroll-behavior', in: 'property', pattern: /^overscroll-behavior/ },
  { name: 'scrollbar', in: 'property', pattern: /^scrollbar-(?:gutter|color|width)$/ },
  { name: 'text-wrap', in: 'property', pattern: /^text-wrap|^white-space-collapse$|^text-box/ },
  { name: 'translate', in: 'property', pattern: /^(?:translate|rotate|scale)$/ },
  { name: 'zoom', in: 'property', pattern: /^zoom$/ },
  { name: 'color-mix', in: 'value', pattern: /color-mix\(|(?:ok)?l(?:ab|ch)\(|\(from / },
  { name: 'container units', in: 'value', pattern: /\d(?:cq(?:w|h|i|b|min|max))\b/ },
  { name: 'dvh', in: 'value', pattern: /\d[dsl]v(?:h|w|i|b|min|max)\b/ },
  { name: 'lh', in: 'value', pattern: /\d(?:r?lh|cap|r?ic|rch|rex)\b/ },
  {
    name: 'numeric functions',
    in: 'value',
    pattern:
      /(?<![\w-])(?:round|mod|rem|abs|sign|sin|cos|tan|atan2?|pow|sqrt|hypot|log|exp|linear|if|attr)\((?![\w-]+\))/,
  },
  { name: 'overflow: clip', in: 'value', pattern: /(?:^|\s)clip(?:\s|$)/ },
  { name: 'subgrid', in: 'value', pattern: /subgrid/ },
];

/** A CSS rule or declaration. `body` is the text between its braces, or null if it has no braces. */
type Statement = { head: string; body: string | null };
/** Yields the statements of a style sheet without comments, or of a rule's body. */
export function* statementsOf(css: string): Generator<Statement> {
  let depth = 0;
  let quote = '';
  let start = 0;
  let open = 0;
  for (let at = 0; at < css.length; at++) {
    const character = css[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '{') {
      if (depth === 0) open = at;
      depth++;
    } else if (character === ')') depth--;
    else if (character === '}' && --depth === 0) {
      const brace = css.indexOf('{', open);
      yield { head: css.slice(start, brace).trim(), body: css.slice(brace + 1, at) };
      start = at + 1;
    } else if (character === ';' && depth === 0) {
      yield { head: css.slice(start, at).trim(), body: null };
      start = at + 1;
    }
    if (depth === 1 && character === '{') open = at;
  }
  if (css.slice(start).trim() !== '') yield { head: css.slice(start).trim(), body: null };
}

/** Returns the names of all newer CSS features in a rule or declaration. Because of them, these browsers would ignore it. */
function newerIn({ head, body }: Statement): string[] {
  const isRule = body !== null;
  const [property = '', ...value] = isRule ? [] : head.split(':');
  const texts = {
    rule: head.startsWith('@') ? head : '',
    selector: isRule && !head.startsWith('@') ? head : '',
    property: property.trim(),
    value: value.join(':'),
  };
  return newerCss.filter((each) => each.pattern.test(texts[each.in])).map(({ name }) => name);
}
const isGroup = /^@(?:media|supports|layer|container|scope|starting-style)/;

/**
 * Returns `css` as these browsers see it: without the rules and declarations that they don't understand. Calls `onLost` with the
 * name of each feature that they lack.
 */
export function asOldestRead(css: string, onLost: (name: string) => void = () => undefined): string {
  let kept = '';
  for (const statement of statementsOf(css)) {
    const lost = newerIn(statement);
    lost.forEach(onLost);
    if (lost.length > 0) continue;
    const { head, body } = statement;
    if (body === null) kept += `${head};`;
    else if (head.startsWith('@supports')) continue;
    else if (head.startsWith('@') && !isGroup.test(head)) kept += `${head}{${body}}`;
    else kept += `${head}{${asOldestRead(body, onLost)}}`;
  }
  return kept;
}

/**
 * Makes a context's pages behave as in the oldest browsers: removes all newer built-ins before a page's first script runs, and
 * all newer CSS from its style sheets.
 */
export async function makeOldest(context: BrowserContext): Promise<void> {
  await context.addInitScript((names: Readonly<Record<string, string>>) => {
    for (const [path, members] of Object.entries(names)) {
      let owner = globalThis as unknown as Record<string, unknown> | undefined;
      for (const name of path.split('.')) owner = owner?.[name] as Record<string, unknown> | undefined;
      if (owner) for (const name of members.split(' ')) Reflect.deleteProperty(owner, name);
    }
  }, newerBuiltIns);
  await context.route(/\.css$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: asOldestRead(await answer.text()) });
  });
}
