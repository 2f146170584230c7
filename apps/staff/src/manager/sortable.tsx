import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '@comanda/ui/icon.tsx';
import { managerMessages } from './messages.ts';
import './sortable.css';

type SortableProps<T> = {
  items: readonly T[];
  keyOf: (item: T) => string | number;
  nameOf: (item: T) => string;
  onMove: (from: number, to: number) => void;
  /** Renders an item, with the controls that move it. */
  children: (item: T, controls: VNode) => ComponentChildren;
};
/** The item that is being dragged, its place and the one where it would be dropped, and how far it is from its own, in px. */
type Drag = { from: number; to: number; by: number; height: number };

/** Returns the list with one item at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** A list whose items are moved by dragging their handles, with the arrow keys, or with a button. */
export function Sortable<T>({ items, keyOf, nameOf, onMove, children }: SortableProps<T>) {
  const words = managerMessages().sortable;
  const list = useRef<HTMLUListElement>(null);
  const startRef = useRef<{ y: number; middles: number[] } | null>(null);
  /** The handle that had the focus before its item was moved, which moves it out of the page for a moment. */
  const focusRef = useRef<string | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [said, setSaid] = useState('');
  useLayoutEffect(() => {
    const wanted = focusRef.current;
    focusRef.current = null;
    if (wanted !== null) list.current?.querySelector<HTMLElement>(`[data-moves="${wanted}"]`)?.focus();
  });
  const move = (from: number, to: number, focus: string | null): void => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    focusRef.current = focus;
    setSaid(words.movedTo(nameOf(item), to + 1, items.length));
    onMove(from, to);
  };
  function begin(event: PointerEvent, from: number): void {
    const all = [...(list.current?.children ?? [])].map((each) => each.getBoundingClientRect());
    if (event.button !== 0 || all.length < 2) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    startRef.current = { y: event.pageY, middles: all.map(({ top, height }) => top + height / 2 + scrollY) };
    setDrag({ from, to: from, by: 0, height: all[from]?.height ?? 0 });
  }
  function follow(event: PointerEvent): void {
    if (!drag || !startRef.current) return;
    if (event.clientY < 72) scrollBy(0, -12);
    else if (event.clientY > innerHeight - 72) scrollBy(0, 12);
    const { y, middles } = startRef.current;
    const by = event.pageY - y;
    const middle = (middles[drag.from] ?? 0) + by;
    const to = middles.filter((each, at) => at !== drag.from && each < middle).length;
    setDrag({ ...drag, to, by });
  }
  function drop(): void {
    if (drag) move(drag.from, drag.to, null);
    startRef.current = null;
    setDrag(null);
  }
  const shiftOf = (at: number): number => {
    if (!drag) return 0;
    if (at === drag.from) return drag.by;
    if (at > drag.from && at <= drag.to) return -drag.height;
    return at < drag.from && at >= drag.to ? drag.height : 0;
  };
  return (
    <>
      <ul class="sortable" ref={list}>
        {items.map((item, at) => {
          const key = String(keyOf(item));
          const shift = shiftOf(at);
          const controls = (
            <span class="wrap sortable-controls">
              <button
                type="button"
                class="sortable-handle"
                data-moves={`${key} handle`}
                aria-label={words.handle(nameOf(item))}
                aria-description={words.handleHint}
                onPointerDown={(event) => begin(event, at)}
                onPointerMove={follow}
                onPointerUp={drop}
                onPointerCancel={() => setDrag(null)}
                onKeyDown={(event) => {
                  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
                  event.preventDefault();
                  move(at, at + (event.key === 'ArrowUp' ? -1 : 1), `${key} handle`);
                }}
              >
                <i aria-hidden="true" />
              </button>
              {(['up', 'down'] as const).map((way) => (
                <button
                  key={way}
                  type="button"
                  class={`sortable-${way}`}
                  data-moves={`${key} ${way}`}
                  aria-label={words[way](nameOf(item))}
                  aria-disabled={at === (way === 'up' ? 0 : items.length - 1)}
                  onClick={() => move(at, at + (way === 'up' ? -1 : 1), `${key} ${way}`)}
                >
                  <Icon name="chevron" size={20} />
                </button>
              ))}
            </span>
          );
          return (
            <li
              key={key}
              class={drag?.from === at ? 'sortable-dragged' : undefined}
              style={shift === 0 ? {} : { transform: `translateY(${shift}px)` }}
            >
              {children(item, controls)}
            </li>
          );
        })}
      </ul>
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </>
  );
}
