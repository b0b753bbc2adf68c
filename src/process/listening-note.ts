/**
 * The process that accepts the key of a data folder. Another user of the machine may listen on a port that a core has left, so
 * the command sends `<dataDir>/api-key` only to the process and port that are noted in that folder.
 */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startOf } from './process-start.ts';

interface Note {
  readonly port: number;
  readonly pid: number;
  /** See startOf: the pid may belong to another process by now. */
  readonly start: string;
}

/**
 * Notes that this process listens and accepts the folder's key.
 * @returns removes the note; the note of a killed process names no running one
 */
export async function noteListening(dataDir: string, port: number): Promise<() => Promise<void>> {
  const note: Note = { port, pid: process.pid, start: startOf(process.pid) ?? '' };
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return () => rm(file, { force: true });
}

/** The port of the process that accepts this folder's key. @returns undefined if none runs */
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
