import type { ComponentChildren } from 'preact';
import './form.css';

type FormProps = {
  label?: string;
  class?: string;
  noValidate?: boolean;
  onSubmit: () => void;
  children: ComponentChildren;
};

/** A form that calls `onSubmit` instead of being sent by the browser. */
export const Form = ({ label, class: className = 'form', noValidate = false, onSubmit, children }: FormProps) => (
  <form
    class={className}
    aria-label={label}
    noValidate={noValidate}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
