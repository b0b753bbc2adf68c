/** Adds to a refusal how to continue a broken upload, because the sender may not know the job. */
import { Refusal, type RefusalCode } from '../../../domain/errors.ts';
import type { Tenant } from '../../../domain/model.ts';

export const jobs = '/bulk-import/jobs';

export function pathOf(id: string, appId: string): string {
  return `${appId === 'public' ? '' : `/appid-${appId}`}${jobs}/${id}`;
}

type Explain = (error: unknown) => unknown;

const final: ReadonlySet<RefusalCode> = new Set(['UPLOAD_GONE', 'JOB_STOPPED', 'NOT_FOUND']);

/** For bytes of a job that the sender began. */
export function continuing(id: string, { appId }: Pick<Tenant, 'appId'>): Explain {
  return adding(
    `Job ${id}: continue with 'carryover resume ${id}', or with HEAD ${pathOf(id, appId)} and a PATCH from its Upload-Offset`,
  );
}

/** For a whole file, whose job the sender does not know yet. */
export function sendingAgain(id: string, { appId }: Pick<Tenant, 'appId'>): Explain {
  return adding(
    `Job ${id} has what was committed: continue with HEAD ${pathOf(id, appId)} and a PATCH from its Upload-Offset, or send the file again (users who exist already count as unchanged; 'carryover import' continues automatically)`,
  );
}

function adding(advice: string): Explain {
  return (error) => {
    if (!(error instanceof Refusal) || final.has(error.code)) return error;
    const { code, message, retryAfterSeconds } = error;
    return new Refusal(code, `${message}. ${advice}`, {
      cause: error,
      ...(retryAfterSeconds && { retryAfterSeconds }),
    });
  };
}
