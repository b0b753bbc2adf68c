/** The command of the built package. Understood by any Node, so that one that is too old gets a line and no stack. */
import process from 'node:process';

const oldest = 20;

if (Number.parseInt(process.versions.node, 10) >= oldest) await import('../dist/src/cli.js');
else {
  process.stderr.write(
    `carryover: Node ${process.versions.node} is too old: install Node 22, or run \`npm install --global node@22\`\n`,
  );
  process.exitCode = 2;
}
