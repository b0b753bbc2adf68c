import { type Fields, without } from './fields.ts';
import type { VersionStep } from './step.ts';

const withoutOwn = without('webauthn');

/** 5.3 introduced passkeys; before, users did not list any. */
export const before53: VersionStep = {
  until: '5.3',
  versions: ['5.1', '5.2'],
  changes: Object.fromEntries(
    [
      'POST /recipe/user/passwordhash/import',
      'POST /recipe/signup',
      'POST /recipe/signin',
      'POST /recipe/signinup',
      'POST /recipe/signinup/code/consume',
      'GET /user/id',
      'GET /users',
      'GET /users/by-accountinfo',
      'POST /recipe/accountlinking/user/primary',
      'POST /recipe/accountlinking/user/link',
    ].map((route) => [route, { answer: withoutPasskeys }]),
  ),
};

function withoutPasskeys(answer: Fields): Fields {
  const { user, users } = answer;
  return {
    ...answer,
    ...(user !== undefined && { user: withoutOwn(user as Fields) }),
    ...(users !== undefined && { users: (users as readonly Fields[]).map(withoutOwn) }),
  };
}
