/** Data stored for an external id before an import creates its user becomes the user's. */
import { describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { countsOf, person } from '../helpers/imports.ts';
import { counts, type Engines, google, password, recordOf, useEngines } from '../helpers/semantics.ts';

let engines: Engines;
let tenant: Tenant;
useEngines((opened, app) => {
  engines = opened;
  tenant = app;
});

async function keep(id: string): Promise<void> {
  const { sql } = engines.store;
  await sql(`insert into roles (app_no, role) values ($1, 'kept'), ($1, 'stated') on conflict do nothing`, [
    tenant.appNo,
  ]);
  await sql(`insert into user_roles (app_no, user_key, tenant_no, role) values ($1, $2, 0, 'kept')`, [
    tenant.appNo,
    id,
  ]);
  await sql(`insert into text_metadata (app_no, user_key, metadata) values ($1, $2, '{"kept":1}')`, [
    tenant.appNo,
    id,
  ]);
  await sql(
    `insert into totp_devices (
       app_no, user_key, name, id, period, skew, verified, imported, created_at, sealed_secret
     ) values ($1, $2, 'phone', gen_random_uuid(), 30, 1, true, false, 1, 'x')`,
    [tenant.appNo, id],
  );
}

/** By the core's id of the user with the external id, and the rest by the id itself. */
async function keptOf(id: string) {
  const [row] = await engines.store.sql(
    `select to_json(array(
         select r.role from user_roles r where r.app_no = u.app_no and r.user_key = u.user_id::text order by 1
       )) as roles,
       (select d.metadata from user_details d where d.app_no = u.app_no and d.user_id = u.user_id) as metadata,
       to_json(array(
         select t.name from totp_devices t where t.app_no = u.app_no and t.user_key = u.user_id::text
       )) as devices,
       (select count(*)::int from user_roles r where r.app_no = u.app_no and r.user_key = $2)
         + (select count(*)::int from text_metadata t where t.app_no = u.app_no and t.user_key = $2)
         + (select count(*)::int from totp_devices t where t.app_no = u.app_no and t.user_key = $2) as left
     from users u where u.app_no = $1 and u.external_id = $2`,
    [tenant.appNo, id],
  );
  return row;
}

const adopted = { roles: ['kept'], metadata: { kept: 1 }, devices: ['phone'], left: 0 };
const run = async (...records: readonly NativeUser[]) => countsOf(await engines.imports.run(tenant, records));

describe('roles, metadata and devices of an external id', () => {
  it('are those of the user that an import creates, among new ones and among known ones', async () => {
    await keep('legacy-1');
    expect(await run(person(0), person(1))).toEqual(counts({ created: 2 }));
    expect(await keptOf('legacy-1')).toEqual(adopted);
    await keep('legacy-2');
    expect(await run(person(1), person(2))).toEqual(counts({ created: 1, unchanged: 1 }));
    expect(await keptOf('legacy-2')).toEqual(adopted);
    expect(await keptOf('legacy-0')).toMatchObject({ roles: [], metadata: null, devices: [] });
  });

  it('are those of a linked user, and of one who gets the id', async () => {
    await keep('linked');
    await keep('late');
    await run(recordOf(undefined, password('late@example.com')));
    const linked = recordOf('linked', password('l@example.com', { isPrimary: true }), google('g1'));
    const late = recordOf('late', password('late@example.com'));
    expect(await run(linked, late)).toEqual(counts({ created: 1, updated: 1 }));
    for (const id of ['linked', 'late']) expect(await keptOf(id)).toEqual(adopted);
  });

  it('are in addition to what the record states, whose metadata counts', async () => {
    await keep('legacy-1');
    await run(person(1, { userMetadata: { stated: 1 }, userRoles: [{ role: 'stated' }] }));
    expect(await keptOf('legacy-1')).toEqual({
      ...adopted,
      roles: ['kept', 'stated'],
      metadata: { stated: 1 },
    });
  });

  it('stay where they are in a dry run', async () => {
    await keep('legacy-1');
    await engines.imports.run(tenant, [person(1)], { dryRun: true });
    expect(await run(person(1))).toEqual(counts({ created: 1 }));
    expect(await keptOf('legacy-1')).toEqual(adopted);
  });
});
