import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A stand-in for an installation of the original core, whose cores a suite starts with `java`. */
export interface Installation {
  readonly folder: string;
  /** For the suite's process, next to the variable that names the folder. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

const standIn = fileURLToPath(new URL('java-stand-in.ts', import.meta.url));
const settings = fileURLToPath(new URL('../../config.yaml', import.meta.url));

/** @param core where the stand-in makes an app for each core that the suite starts */
export async function makeInstallation(core: URL): Promise<Installation> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-installation-'));
  const programs = path.join(folder, 'bin');
  await Promise.all(['bin', 'temp'].map((name) => mkdir(path.join(folder, name))));
  // Some suites change a key of the parsed file, so at least one must be there, as in the original.
  const original = await readFile(settings, 'utf8');
  await writeFile(path.join(folder, 'temp/config.yaml'), `core_config_version: 0\n${original}`);
  const java = path.join(programs, 'java');
  await writeFile(java, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`);
  await chmod(java, 0o755);
  return {
    folder,
    environment: { PATH: `${programs}:${process.env.PATH ?? ''}`, CARRYOVER_CORE: core.href },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
