/**
 * Which core takes the key of a data folder. Any user of a machine may listen on a port that a core has left: so the
 * command gives the key of `<dataDir>/api-key` only to the process that says, in that folder, that it listens there.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startOf } from './process-start.ts';

interface Note {
  readonly port: number;
  readonly pid: number;
  /** See startOf: the pid may be another process's by now. */
  readonly start: string;
}

/**
 * Says that this process listens, and takes the key of the folder.
 * @returns removes it; a killed process leaves it there, naming no running process
 */
export async function noteListening(dataDir: string, port: number): Promise<() => Promise<void>> {
  const note: Note = { port, pid: process.pid, start: startOf(process.pid) ?? '' };
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return () => rm(file, { force: true });
}

/** Where the process listens that takes the key of this folder. @returns undefined if none runs */
export async function portOfCore(dataDir: string): Promise<number | undefined> {
  const note = parse(await readFile(fileIn(dataDir), 'utf8').catch(() => ''));
  return note !== undefined && startOf(note.pid) === note.start ? note.port : undefined;
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'listening');
}

function parse(text: string): (Partial<Note> & Pick<Note, 'pid'>) | undefined {
  try {
    const note: unknown = JSON.parse(text);
    const isNote = typeof note === 'object' && note !== null && 'pid' in note && typeof note.pid === 'number';
    return isNote ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}
