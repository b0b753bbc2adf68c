/** The table of repairs, in the order in which they are tried: the most common first. */

import type { Repair } from './repair.ts';
import { bcryptRepairs } from './repairs/bcrypt.ts';
import { costRepairs } from './repairs/costs.ts';
import { encodingRepairs } from './repairs/encodings.ts';
import { passwordRepairs } from './repairs/passwords.ts';
import { saltRepairs } from './repairs/salts.ts';
import { secretRepairs } from './repairs/secrets.ts';
import { textRepairs } from './repairs/texts.ts';

export const repairs: readonly Repair[] = [
  ...textRepairs,
  ...secretRepairs,
  ...bcryptRepairs,
  ...encodingRepairs,
  ...costRepairs,
  ...saltRepairs,
  ...passwordRepairs,
];
