import { shiftMessages } from './messages.ts';
import './legend.css';

/** Explains the board in a few lines. */
export const Legend = () => (
  <ul class="legend">
    {shiftMessages().legend.lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
