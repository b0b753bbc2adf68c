/**
 * The routes that a page of the console may call besides its own: none that gives out emails, hashes or tokens without an entry in
 * the audit log that says so.
 */
const allowed: ReadonlySet<string> = new Set([
  'GET /bulk-import/jobs',
  'GET /bulk-import/jobs/{id}',
  'GET /bulk-import/jobs/{id}/events',
  'GET /bulk-import/jobs/{id}/rejects',
  'GET /bulk-import/jobs/{id}/conflicts',
  'GET /bulk-import/jobs/{id}/absent',
  'POST /bulk-import/jobs/{id}/undo',
  'DELETE /bulk-import/{id}',
  'GET /move/status',
  'POST /move',
  'POST /move/next',
  'POST /move/back',
  'POST /move/close',
  'POST /move/plan',
  'POST /move/comparison',
  'GET /users/count',
  'GET /users/count/active',
  'GET /recipe/user/passwordhash/report',
  'GET /recipe/user/legacy/report',
  'GET /recipe/multitenancy/app/list/v2',
  'GET /recipe/multitenancy/tenant/list/v2',
  'GET /health',
  'GET /recipe/user/roles',
  'GET /recipe/session/user',
  'POST /recipe/session/remove',
  'GET /recipe/totp/device/list',
  'GET /user/restrictions',
  'PUT /user/restrictions',
  'POST /user/remove',
  'POST /recipe/user/password/reset/token',
  'POST /recipe/user/email/verify/token',
]);

/** @param path as in the table of routes */
export function isOfConsole(method: string, path: string): boolean {
  return path.startsWith('/console/') || allowed.has(`${method} ${path}`);
}
