/** Services: named connections in a file (PostgreSQL 18 manual, 32.17). */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeOf } from '../sqlstate.ts';
import type { Parameters } from './parameters.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Adds the parameters of the requested service, if any.
 * @throws StartupError for a service that no file has, or an unreadable file
 */
export function addService(parameters: Parameters, environment: Environment): void {
  const [name, named] = [parameters.take('service'), parameters.take('servicefile')];
  if (name === undefined) return;
  const files = filesOf(named, environment);
  for (const file of files) {
    const lines = sectionOf(read(file, file === named, parameters), name);
    if (lines === undefined) continue;
    for (const line of lines) addLine(line, file, parameters);
    return;
  }
  throw parameters.refused('service', `is in none of ${files.join(', ')}: write it there, or leave it out`);
}

function filesOf(named: string | undefined, { HOME, PGSYSCONFDIR }: Environment): readonly string[] {
  if (named !== undefined) return [named];
  const own = path.join(HOME ?? os.homedir(), '.pg_service.conf');
  return PGSYSCONFDIR === undefined ? [own] : [own, path.join(PGSYSCONFDIR, 'pg_service.conf')];
}

function read(file: string, isNamed: boolean, parameters: Parameters): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!isNamed && codeOf(error) === 'ENOENT') return '';
    const reason = `cannot be read (${codeOf(error)}): check the path and its permissions`;
    throw parameters.refused('service', `is in ${file}, which ${reason}`, error);
  }
}

function sectionOf(text: string, name: string): readonly string[] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const begin = lines.indexOf(`[${name}]`);
  if (begin === -1) return undefined;
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.startsWith('['));
  return (end === -1 ? rest : rest.slice(0, end)).filter((line) => line !== '' && !line.startsWith('#'));
}

function addLine(line: string, file: string, parameters: Parameters): void {
  const at = line.indexOf('=');
  if (at < 1 || line.startsWith('ldap'))
    throw parameters.refused('service', `has a line in ${file} that is not of the form name=value`);
  parameters.offer(line.slice(0, at).trim(), line.slice(at + 1).trim(), file);
}
