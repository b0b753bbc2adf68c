import path from 'node:path';
import { CommandError } from './arguments.ts';
import { goSuite } from './go-suite.ts';
import { nodeSuite } from './node-suite.ts';
import { pythonSuite } from './python-suite.ts';
import { exists, type Suite } from './suite.ts';

/** @throws CommandError when the folder is not one of the three, or lacks what runs the suite */
export async function suiteOf(checkout: string, python?: string): Promise<Suite> {
  const root = path.resolve(checkout);
  if (await exists(path.join(root, 'lib/ts/recipe'))) return nodeSuite(root);
  if (await exists(path.join(root, 'supertokens_python/recipe'))) return pythonSuite(root, python);
  if (await exists(path.join(root, 'supertokens/constants.go'))) return goSuite(root);
  throw new CommandError(
    `${checkout} is no checkout of supertokens-node, supertokens-python or supertokens-golang`,
  );
}

/** @throws CommandError when one of `only` is not in the suite */
export function directoriesOf({ directories }: Suite, only: readonly string[]): readonly string[] {
  const unknown = only.filter((each) => !directories.includes(each));
  if (unknown.length > 0)
    throw new CommandError(`Not in the suite: ${unknown.join(', ')}. There are: ${directories.join(', ')}`);
  return only.length === 0 ? directories : only;
}
