import type { TargetedDragEvent } from 'preact';
import { useState } from 'preact/hooks';

/** Returns the handlers for an area onto which a file can be dropped. */
export function useDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  const hold = (event: TargetedDragEvent<HTMLElement>): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault(); // Otherwise the browser would open the file in place of the app.
    setIsOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: hold,
      onDragOver: hold,
      onDragLeave: () => setIsOver(false),
      onDrop: (event: TargetedDragEvent<HTMLElement>) => {
        const [file] = event.dataTransfer?.files ?? [];
        setIsOver(false);
        if (!file) return;
        event.preventDefault();
        onFile(file);
      },
    },
  };
}
