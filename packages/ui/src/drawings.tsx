import type { ComponentChildren } from 'preact';
import './drawings.css';

export const Drawing = ({ children }: { children: ComponentChildren }) => (
  <svg class="drawing" viewBox="0 0 160 120" aria-hidden="true">
    {children}
  </svg>
);
export const roundLine = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const;

/** A phone that is scanning a table's QR code. */
export const ScanDrawing = () => (
  <Drawing>
    <ellipse cx="80" cy="108" rx="62" ry="6" fill="var(--sunk)" />
    <rect x="14" y="44" width="56" height="58" rx="8" fill="var(--card)" stroke="var(--edge)" stroke-width="2" />
    <path d="M24 54h12v12H24zM48 54h12v12H48zM24 80h12v12H24z" stroke="var(--ink)" stroke-width="4" {...roundLine} />
    <path d="M46 78h5v5h-5zM56 78h5v5h-5zM51 86h5v6h-5z" fill="var(--ink)" />
    <rect x="84" y="14" width="52" height="92" rx="10" fill="var(--ink)" />
    <rect x="89" y="20" width="42" height="76" rx="5" fill="var(--tile-0)" />
    <path
      d="M97 42v-7h7M116 35h7v7M123 62v7h-7M104 69h-7v-7"
      stroke="var(--accent)"
      stroke-width="3.5"
      {...roundLine}
    />
    <circle cx="110" cy="52" r="10" fill="#fffbf3" />
    <circle cx="110" cy="52" r="6.5" fill="#f5cd7c" />
    <rect x="97" y="78" width="26" height="9" rx="4.500" fill="var(--accent)" />
    <path d="M74 62h6M74 72h6" stroke="var(--accent)" stroke-width="3" {...roundLine} />
  </Drawing>
);

/** A phone and a cloud that are not connected. */
export const NoConnectionDrawing = () => (
  <Drawing>
    <ellipse cx="80" cy="108" rx="56" ry="6" fill="var(--sunk)" />
    <path d="M48 66a20 20 0 0 1 3-40 28 28 0 0 1 53-2 21 21 0 0 1 6 42z" fill="var(--tile-3)" />
    <path d="M80 76v8M80 98v6" stroke="var(--edge)" stroke-width="4" {...roundLine} />
    <path d="M72 86l16 10M88 86L72 96" stroke="var(--accent)" stroke-width="4" {...roundLine} />
    <path d="M66 42l28 0M66 52l18 0" stroke="var(--card)" stroke-width="4" {...roundLine} />
  </Drawing>
);

/** A ticket with check marks, shown when no orders are waiting. */
export const AllDoneDrawing = () => (
  <Drawing>
    <ellipse cx="80" cy="110" rx="48" ry="5" fill="var(--sunk)" />
    <path d="M48 12h64v92l-8-6-8 6-8-6-8 6-8-6-8 6-8-6-8 6z" fill="var(--card)" stroke="var(--edge)" stroke-width="2" />
    <path d="M60 34l5 5 9-10M60 56l5 5 9-10M60 78l5 5 9-10" stroke="var(--ready)" stroke-width="4" {...roundLine} />
    <path d="M84 36h16M84 58h16M84 80h10" stroke="var(--line)" stroke-width="5" {...roundLine} />
  </Drawing>
);
