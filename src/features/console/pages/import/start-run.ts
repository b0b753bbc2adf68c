import { call } from '../api.ts';
import type { Run, RunInput } from './run-model.ts';

/** Keys that were typed in this tab: the next step of the same files needs them again, and the core has forgotten them. */
const typed = new Map<string, Readonly<Record<string, string>>>();

/** @throws Refused */
export async function startRun(input: RunInput): Promise<Run> {
  const given = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== '' && value !== undefined),
  );
  const { run } = await call<{ run: Run }>('/console/runs', { method: 'POST', body: given });
  if (input.secrets !== undefined) typed.set(run.id, input.secrets);
  return run;
}

export const secretsOf = (runId: string): Readonly<Record<string, string>> => typed.get(runId) ?? {};
