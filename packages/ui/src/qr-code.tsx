import createQrCode from 'qrcode-generator';

/** The quiet zone around the code, in modules, as ISO/IEC 18004 requires. */
const quiet = 4;

/** Renders a QR code as one path. It is black on white in every theme, so that phones can scan it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = createQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const rows = Array.from({ length: count }, (_, row) =>
    Array.from({ length: count }, (__, column) =>
      code.isDark(row, column) ? `M${column + quiet} ${row + quiet}h1v1h-1z` : '',
    ).join(''),
  );
  const size = count + 2 * quiet;
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.join('')} fill="#000" />
    </svg>
  );
}
