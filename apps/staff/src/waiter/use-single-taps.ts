import { settleMs } from '@comanda/ui/use-settled.ts';
import { useRef } from 'preact/hooks';

/** The maximum distance between the two taps of a double tap, in pixels. */
const nearPx = 40;

/**
 * Returns a handler for `onClickCapture` that ignores the second tap of a double tap, because another dish or table may have
 * moved under the finger.
 */
export function useSingleTaps(): (event: MouseEvent) => void {
  const lastRef = useRef({ clientX: 0, clientY: 0, timeStamp: -settleMs });
  return (event) => {
    const { clientX, clientY, timeStamp } = event;
    const distance = Math.hypot(clientX - lastRef.current.clientX, clientY - lastRef.current.clientY);
    if (timeStamp - lastRef.current.timeStamp < settleMs && distance < nearPx) event.stopPropagation();
    lastRef.current = { clientX, clientY, timeStamp };
  };
}
