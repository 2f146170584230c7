/** A rail without tickets: the clips hang empty. */
export const EmptyRail = () => (
  <svg viewBox="0 0 360 120" width="360" height="120" aria-hidden="true">
    <rect x="10" y="22" width="340" height="16" rx="8" fill="#3a4652" />
    <rect x="10" y="22" width="340" height="6" rx="3" fill="#566472" />
    {[60, 140, 220, 300].map((x) => (
      <g key={x}>
        <rect x={x - 14} y="14" width="28" height="34" rx="6" fill="#7b8a99" />
        <rect x={x - 14} y="14" width="28" height="10" rx="5" fill="#a9b4c0" />
        <circle cx={x} cy="36" r="4" fill="#232b34" />
      </g>
    ))}
    <path d="M132 62v40l6-5 6 5 6-5 6 5V62Z" fill="none" stroke="#566472" stroke-width="2.5" stroke-dasharray="5 6" />
  </svg>
);
