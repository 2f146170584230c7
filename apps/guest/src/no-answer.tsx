import type { ComponentChildren } from 'preact';
import { Icon } from '@comanda/ui/icon.tsx';
import './no-answer.css';

type IconName = Parameters<typeof Icon>[0]['name'];
type NoAnswerProps = {
  class: string;
  icon: IconName;
  title: string;
  text: string;
  /** What the app has tried so far. */
  tried: { icon: IconName; text: string };
  buttons: ComponentChildren;
  children: ComponentChildren;
};

/** A page for a request that has no response yet. It must not look like a success. */
export const NoAnswer = ({ class: className, icon, title, text, tried, buttons, children }: NoAnswerProps) => (
  <div class={`page no-answer ${className}`}>
    <main>
      <div class="on-amber stack gap-2 no-answer-head" role="alert">
        <span class="centre no-answer-icon">
          <Icon name={icon} size={32} />
        </span>
        <h1 tabIndex={-1}>{title}</h1>
        <p>{text}</p>
      </div>
      <p class="on-amber row gap-2 no-answer-tried">
        <Icon name={tried.icon} />
        {tried.text}
      </p>
      {children}
    </main>
    <footer class="dock">{buttons}</footer>
  </div>
);
