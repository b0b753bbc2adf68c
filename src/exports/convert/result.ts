import { UnusableExport } from '../providers/provider.ts';

/** What a thread answered. @throws UnusableExport when that is what it met */
export function finished<Result extends object>(answer: { readonly unusable: string } | Result): Result {
  if ('unusable' in answer) throw new UnusableExport(answer.unusable);
  return answer;
}
