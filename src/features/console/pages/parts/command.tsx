import { useState } from 'preact/hooks';

/** The command that does the same, to copy. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => {
          setCopied(false);
        }, 2000);
      },
      () => undefined,
    );
  };
  return (
    <p class="command">
      <code>{text}</code>
      <button type="button" class="quiet small" onClick={copy} aria-label={`Copy the command ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}
