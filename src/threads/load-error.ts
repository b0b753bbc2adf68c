import { fileURLToPath } from 'node:url';
import { StartupError } from '../process/startup-error.ts';

/** The file that threads run, or one that it imports, cannot be loaded: none of their tasks can be done. */
export class LoadError extends StartupError {
  constructor(file: URL, cause: Error) {
    super(
      `A thread cannot load ${fileURLToPath(file)}: ${reasonOf(cause)}. Install carryover again (npm ci, or the image), unless a limit of the machine is the reason`,
      { cause },
    );
    this.name = 'LoadError';
  }
}

/** One line, with the place that Node writes above some syntax errors. */
function reasonOf({ message, stack = '' }: Error): string {
  const [reason = ''] = message.trim().split('\n', 1);
  const place = /^(?:file:\/\/)?(\/\S+:\d+)\n/.exec(stack)?.[1];
  return place === undefined ? reason : `${reason} (${place})`;
}
