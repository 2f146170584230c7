import { useEffect, useState } from 'preact/hooks';
import { automaticSize, type CardSize } from '../device/columns.ts';
import type { ChosenSize } from '../device/settings.ts';
import { holdMs, usePointer } from './use-pointer.ts';

type Options = { chosen: ChosenSize; room: { width: number; height: number }; ticketCount: number };

/** The size of the cards. The board chooses another one when nobody has touched it for a moment. */
export function useCardSize({ chosen, room: { width, height }, ticketCount }: Options): CardSize {
  const [size, setSize] = useState<CardSize | null>(null);
  const pointer = usePointer();
  const wanted = chosen === 'auto' ? automaticSize({ width, height, ticketCount }, size ?? 'large') : chosen;
  // Nothing stands on the board yet.
  const isFree = size === null || width === 0 || ticketCount === 0;
  useEffect(() => {
    if (size === wanted || width === 0) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const check = (): void => {
      const { isDown, upAt } = pointer.current;
      const restMs = isDown ? 0 : performance.now() - upAt;
      if (isFree || restMs >= holdMs) setSize(wanted);
      else timer = setTimeout(check, holdMs - restMs);
    };
    check();
    return () => clearTimeout(timer);
  }, [size, wanted, width, isFree, pointer]);
  return isFree ? wanted : size;
}
