import { threadsLoaded } from '../../threads/loading.ts';

/** Resolves when the streams have passed on everything that was written to them, and the process may end. */
export async function allWritten(streams: readonly NodeJS.WriteStream[]): Promise<void> {
  await Promise.all(streams.map(written));
  await threadsLoaded();
}

/** Resolves as well when the stream will never pass it on. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else {
      stream.once('close', resolve);
      stream.write('', () => {
        resolve();
      });
    }
  });
}
