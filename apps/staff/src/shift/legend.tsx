import { shiftMessages } from './messages.ts';

/** Explains the board in a few lines. */
export const Legend = () => (
  <ul class="stack gap-2 legend">
    {shiftMessages().legend.lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
