import type { ComponentChildren } from 'preact';
import './ask.css';

type AskProps = { question: string; children: ComponentChildren };

/** A question on the page, with the buttons that answer it. */
export const Ask = ({ question, children }: AskProps) => (
  <section class="waiter-panel waiter-ask" role="group" aria-label={question}>
    <h2>{question}</h2>
    {children}
  </section>
);
