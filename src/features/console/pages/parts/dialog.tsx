import { type ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own: it keeps the focus, closes with Escape, and returns the focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Says what a step does before it is done. */
export function Confirm({ title, action, isDanger, isBusy, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="row end">
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class={isDanger === true ? 'danger' : ''} disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
