import type { ComponentChildren } from 'preact';
import type { Virtual } from './virtual.ts';

interface ScrollerProps {
  readonly label: string;
  readonly virtual: Pick<Virtual, 'scroller' | 'onKeyDown'>;
  readonly children: ComponentChildren;
}

/** The region in which a long list scrolls; the keyboard reaches it. */
export function Scroller({ label, virtual: { scroller, onKeyDown }, children }: ScrollerProps) {
  return (
    <div
      ref={scroller}
      class="scroll long"
      role="region"
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}
