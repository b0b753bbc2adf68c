/** Why a job did not disable or remove users that are no longer at the source. */
export const absentRefusals = {
  ABSENT_TOO_MANY:
    'The file has half or fewer of the users imported from this source, so no user is disabled or removed: check that it is a whole export; if it is, import it again with --force-absent (absentYes)',
  ABSENT_UNCERTAIN:
    'Some records are not valid, so it is unknown whose they are, and no user is disabled or removed: correct them, or import the file again with --force-absent (absentYes)',
} as const;
export type AbsentRefusal = keyof typeof absentRefusals;
