/** The source's transforms of typed passwords before hashing, stated for a whole file: `--password-as`. */

import { statedIn } from '../../hashes/transforms/transforms.ts';
import type { NativeLoginMethod, NativeUser } from '../../imports/record/native-record.ts';

/** The conversion's name for the option; its text is one that parseForms reads. */
export const passwordAsOption = 'password-as';

/** `user` with the transforms in every hash that states none. */
export function withTransforms(user: NativeUser, transforms: string | undefined): NativeUser {
  if (transforms === undefined) return user;
  return { ...user, loginMethods: user.loginMethods.map((method) => stated(method, transforms)) };
}

function stated(method: NativeLoginMethod, passwordTransforms: string): NativeLoginMethod {
  if (!('passwordHash' in method)) return method;
  const isStated =
    method.passwordTransforms !== undefined || statedIn(method.passwordHash).forms !== undefined;
  return isStated ? method : { ...method, passwordTransforms };
}
