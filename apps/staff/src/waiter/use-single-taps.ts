import { settleMs } from '@comanda/ui/use-settled.ts';
import { useRef } from 'preact/hooks';

/** Two taps of one finger are at most this far apart. */
const nearPx = 40;

/** For `onClickCapture`: ignores the second tap of a double tap, under which another dish or table may have moved. */
export function useSingleTaps(): (event: MouseEvent) => void {
  const lastRef = useRef({ clientX: 0, clientY: 0, timeStamp: -settleMs });
  return (event) => {
    const { clientX, clientY, timeStamp } = event;
    const distance = Math.hypot(clientX - lastRef.current.clientX, clientY - lastRef.current.clientY);
    if (timeStamp - lastRef.current.timeStamp < settleMs && distance < nearPx) event.stopPropagation();
    lastRef.current = { clientX, clientY, timeStamp };
  };
}
