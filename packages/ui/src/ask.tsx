import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { askMessages } from './ask-messages.ts';
import './ask.css';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords, type FailureWords } from './failure-words.ts';
import { useAction } from './use-action.ts';
import { useSettled } from './use-settled.ts';

type AskProps = {
  question: string;
  /** The label of the button that does what the question is about. Without it, the answers are among `children`. */
  yes?: string;
  /** The label of the button that does nothing. By default, "Cancel". */
  no?: string;
  /** The look of "yes". If it is `secondary`, "no" is the main answer. */
  kind?: 'primary' | 'danger' | 'secondary';
  /** False while something is missing, for example a reason. */
  isReady?: boolean;
  /** Returns the message for a failure of `onYes`. */
  wordsOf?: (failure: unknown) => FailureWords;
  /** Runs once for each answer, even after a double tap. If it fails, the question stays open and shows why. */
  onYes?: () => unknown;
  /** Called after "no" and Escape, and after `onYes` has succeeded. */
  onClose: () => void;
  /** What the answer means, and fields for what it needs. */
  children?: ComponentChildren;
};

/** Runs the answer "yes", one at a time. While it runs, the question stays open, because its result would be missed. */
function useYes({ onYes, onClose, isReady = true }: AskProps) {
  const { failure, isBusy, run, forgetFailure } = useAction();
  const isOff = isBusy || !isReady;
  const answer = async (): Promise<void> => {
    if (!isOff && (await run(async () => void (await onYes?.())))) onClose();
  };
  const close = (): void => {
    if (isBusy) return;
    forgetFailure();
    onClose();
  };
  return { failure, isBusy, isOff, answer, close };
}
type Answering = ReturnType<typeof useYes>;

type YesProps = { kind: AskProps['kind']; size: 'large' | 'medium'; answering: Answering; label: string };

/** The button "yes". It is disabled at first, because the second tap of a double tap might hit it. */
function Yes({ kind = 'primary', size, answering, label }: YesProps) {
  const isSettled = useSettled();
  return (
    <Button
      kind={kind}
      size={size}
      disabled={!isSettled}
      aria-disabled={answering.isOff}
      onClick={() => void answering.answer()}
    >
      {label}
    </Button>
  );
}

const Failure = ({ of, wordsOf = failureWords }: { of: unknown; wordsOf: AskProps['wordsOf'] }) =>
  of !== null && <ErrorPanel words={wordsOf(of)} />;

/**
 * A question on the page, usually in place of the button that opened it. Escape answers "no". The focus is on "no" while the
 * question is open, and returns to the button afterwards.
 */
export function Ask(props: AskProps) {
  const { question, yes, no = askMessages().no, kind, wordsOf, children } = props;
  const id = useId();
  const answering = useYes(props);
  const element = useFocus(answering.close);
  const isSettled = useSettled();
  return (
    <section
      class="stack gap-3 ask"
      role="group"
      aria-labelledby={id}
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault(); // The question may be part of a form.
        void answering.answer();
      }}
    >
      <p class="ask-question" id={id}>
        {question}
      </p>
      {children}
      <Failure of={answering.failure} wordsOf={wordsOf} />
      <div class="wrap gap-3 ask-buttons">
        {/* The second tap of a double tap closes nothing. A key press has no `detail`. */}
        <Button
          aria-disabled={answering.isBusy}
          onClick={({ detail }) => (isSettled || detail === 0) && answering.close()}
        >
          {no}
        </Button>
        {yes !== undefined && <Yes kind={kind} size="medium" answering={answering} label={yes} />}
      </div>
    </section>
  );
}

type AskInPlaceProps = Omit<AskProps, 'onClose'> & { opener: Omit<Parameters<typeof Button>[0], 'onClick'> };

/** A button, `opener`, and the question that it opens in its place. */
export function AskInPlace({ opener, ...props }: AskInPlaceProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) return <Button {...opener} onClick={() => setIsOpen(true)} />;
  return <Ask {...props} onClose={() => setIsOpen(false)} />;
}

/** Like `Ask`, in a sheet over the page. */
export function AskDialog({ isOpen, yes, ...props }: AskProps & { isOpen: boolean; yes: string }) {
  const { question, no = askMessages().no, kind, wordsOf, children } = props;
  const answering = useYes(props);
  const isSafe = kind === 'secondary';
  const button = <Yes key="yes" kind={kind} size={isSafe ? 'medium' : 'large'} answering={answering} label={yes} />;
  return (
    <Dialog
      title={question}
      isOpen={isOpen}
      onClose={answering.close}
      footer={
        <>
          {!isSafe && button}
          <Button
            kind={isSafe ? 'primary' : 'secondary'}
            size={isSafe ? 'large' : 'medium'}
            aria-disabled={answering.isBusy}
            onClick={answering.close}
          >
            {no}
          </Button>
          {isSafe && button}
        </>
      }
    >
      <Failure of={answering.failure} wordsOf={wordsOf} />
      {children}
    </Dialog>
  );
}

/**
 * Moves the focus to the question's button "no", and back to the button that opened it. Returns a ref for the question's element.
 * Calls `onEscape` on Escape.
 */
function useFocus(onEscape: () => void) {
  const element = useRef<HTMLElement>(null);
  const [opener] = useState(() => document.activeElement);
  const onEscapeRef = useRef(onEscape);
  useLayoutEffect(() => {
    onEscapeRef.current = onEscape;
  });
  // A layout effect, because its cleanup still knows what had the focus.
  useLayoutEffect(() => {
    const asked = element.current;
    asked?.querySelector<HTMLElement>('.ask-buttons > button')?.focus({ preventScroll: true });
    asked?.scrollIntoView({ block: 'nearest' });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onEscapeRef.current();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true });
      if (!asked?.contains(document.activeElement)) return;
      const { parentElement: place, previousElementSibling: before } = asked;
      queueMicrotask(() => (isShown(opener) ? opener : buttonAfter(before, place))?.focus());
    };
  }, [opener]);
  return element;
}

/** Returns true if the button that opened a question is still there. Without one, the body has the focus. */
const isShown = (opener: Element | null): opener is HTMLElement =>
  opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
/** Returns the first button or link behind `before`, where the question was. */
function buttonAfter(before: Element | null, place: Element | null): HTMLElement | undefined {
  const isBehind = (each: Element): boolean =>
    !before?.isConnected ||
    (!before.contains(each) && (before.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
  return [...(place?.querySelectorAll<HTMLElement>('button, a') ?? [])].find(isBehind);
}
