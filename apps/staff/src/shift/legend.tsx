import { shiftMessages } from './messages.ts';
import './legend.css';

/** How the board is used, in a few lines. */
export const Legend = () => (
  <ul class="legend">
    {shiftMessages().legend.lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
