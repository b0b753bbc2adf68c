/** Why an upload does not continue here. */

/** @throws UploadStopped before a step whose result is no longer needed */
export function requireGoingOn({ isStopped }: { readonly isStopped: boolean }): void {
  if (isStopped) throw new UploadStopped();
}

/** The chunk was not begun, or was abandoned before it had a lane. */
class UploadStopped extends Error {
  override readonly name = 'UploadStopped';
}

/** The upload cannot continue here: its job stopped, was cancelled, or continued through another core. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}
