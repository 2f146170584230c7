import { Drawing, roundLine } from './drawings.tsx';

/** An empty plate, for a search without results or an empty selection. */
export const EmptyPlateDrawing = () => (
  <Drawing>
    <circle cx="84" cy="65" r="46" fill="var(--sunk)" />
    <circle cx="80" cy="60" r="46" fill="#fffbf3" stroke="#e8dac2" stroke-width="2" />
    <circle cx="80" cy="60" r="31" fill="#faf2e4" stroke="#e9dcc5" stroke-width="2" />
    <path d="M66 64c4 6 9 8 14 8s10-2 14-8" stroke="#c9b794" stroke-width="3" {...roundLine} />
    <path d="M70 52v2M90 52v2" stroke="#c9b794" stroke-width="4" {...roundLine} />
    <path
      d="M16 26v22a7 7 0 0 0 14 0V26M23 26v72M144 26c-8 5-11 20-9 34h9zM144 26v72"
      stroke="var(--edge)"
      stroke-width="3.5"
      {...roundLine}
    />
  </Drawing>
);
