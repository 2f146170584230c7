import { useEffect } from 'preact/hooks';
import '../../board/printout.css';
import type { ManagerSession } from '../manager-session.ts';
import './receipt-sheet.css';

/** The printed receipt of a bill. It appears only on paper. */
export function ReceiptSheet({ session: { printing } }: { session: ManagerSession }) {
  const { printReceipt } = printing;
  const text = printing.receipt.value;
  useEffect(() => {
    if (text === '') return undefined;
    const clear = (): void => printReceipt('');
    addEventListener('afterprint', clear, { once: true });
    print();
    return () => removeEventListener('afterprint', clear);
  }, [text, printReceipt]);
  return text === '' ? null : <pre class="printout receipt-sheet">{text}</pre>;
}
