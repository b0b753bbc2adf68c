/** Runs the commands of a shell within the process of the test. The shell reaches it by `commandScript`. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { inputOf, runHere } from './command.ts';

/**
 * Bash, with `DESK_PORT` in its environment. The request: fields that end in NUL, the number of arguments first, a blank one
 * last. The answer is the exit code; the output is in two files.
 */
export const commandScript = `answers=$(mktemp -d)
exec 3<>"/dev/tcp/127.0.0.1/$DESK_PORT"
{
  printf '%s\\0' "$answers" "$PWD" "$(base64)" "$#" "$@"
  env -0
  printf '\\0'
} >&3
read -r code <&3
cat "$answers/stderr" >&2
cat "$answers/stdout"
rm -r "$answers"
exit "$code"
`;

export interface Desk {
  readonly port: number;
  stop(): Promise<void>;
}

export async function openDesk(): Promise<Desk> {
  const server = createServer((socket) => {
    void serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(socket: Socket): Promise<void> {
  const asked = questionOf(await fieldsFrom(socket));
  const { code, stdout, stderr } = await runHere(asked.args, {
    folder: asked.folder,
    environment: asked.environment,
    stdin: inputOf(asked.input),
  });
  await writeFile(path.join(asked.answers, 'stdout'), stdout);
  await writeFile(path.join(asked.answers, 'stderr'), stderr);
  socket.end(`${code}\n`);
}

async function fieldsFrom(socket: Socket): Promise<readonly string[]> {
  let text = '';
  for await (const part of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(part);
    if (text.endsWith('\0\0')) break;
  }
  return text.slice(0, -2).split('\0');
}

interface Question {
  /** The folder for the output. */
  readonly answers: string;
  readonly folder: string;
  readonly input: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function questionOf([answers = '', folder = '', input = '', count, ...rest]: readonly string[]): Question {
  const pairs = rest.slice(Number(count)).map((pair) => /^([^=]*)=([^]*)$/.exec(pair) ?? []);
  return {
    answers,
    folder,
    input: Buffer.from(input, 'base64').toString(),
    args: rest.slice(0, Number(count)),
    environment: Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value])),
  };
}
