/**
 * Runs at the end of `npm ci`: the Node from the package `node` has to be the recorded one. The lock file has the hash of that
 * package, but its install script fetches the binary from a second package, which no lock file covers.
 *
 * Plain JavaScript, run by the Node that runs npm: the binary in question must not judge itself. Exit code 1 when the binary
 * differs; an unknown platform is a warning, as there is nothing to compare with.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, URL } from 'node:url';

/** @param {string} relative from the root of the project */
const locate = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
/** @param {string} relative from the root of the project */
const readJson = (relative) => JSON.parse(readFileSync(locate(relative), 'utf8'));
/** @param {string} file */
const sha256Of = async (file) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};
/** @param {readonly string[]} lines */
const report = (...lines) => process.stderr.write(`carryover: ${lines.join('\n  ')}\n`);

const platform = `${process.platform}-${process.arch}`;
const recorded = readJson('packaging/node-binaries.json');
const expected = recorded.platforms[platform];
const file = `node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`;

// Without the development packages, as in the container, Node comes from elsewhere.
if (existsSync(locate(file))) {
  if (!expected)
    report(`no hash of Node ${recorded.version} is recorded for ${platform}: ${file} is not verified`);
  else process.exitCode = (await isRecorded()) ? 0 : 1;
}

async function isRecorded() {
  const { version } = readJson('node_modules/node/package.json');
  if (version !== recorded.version) {
    report(
      `Node ${version} is installed, but packaging/node-binaries.json holds the hashes of ${recorded.version}.`,
      'Record those of the new version with `npm run record-node`, and commit them together with package-lock.json.',
    );
    return false;
  }
  const found = await sha256Of(locate(file));
  if (found === expected.sha256) return true;
  report(
    `${file} is not the Node ${version} that is recorded for ${platform}. Do not run it.`,
    `expected sha256 ${expected.sha256} (packaging/node-binaries.json)`,
    `found    sha256 ${found}`,
    `Remove node_modules and run \`npm cache clean --force && npm ci\`. If it is the same again, ${expected.package}@${version}`,
    'was changed in your registry or mirror: report it to those who run it.',
  );
  return false;
}
