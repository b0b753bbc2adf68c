/**
 * CTEs that move TOTP devices to another id. An existing one of the same name is not replaced; codes are not moved.
 * @param moves a CTE or sub-select with `app_no`, `former` and `key`
 */
export function moveTotp(moves: string): string {
  const isTaken = `exists (
        select 1 from totp_devices o where o.app_no = m.app_no and o.user_key = m.key and o.name = d.name
        offset 0
      )`;
  return `totp_moved as (
      update totp_devices d set user_key = m.key from ${moves} m
      where d.app_no = m.app_no and d.user_key = m.former and not ${isTaken}
    ),
    totp_left as (
      delete from totp_devices d using ${moves} m
      where d.app_no = m.app_no and d.user_key = m.former and ${isTaken}
    ),
    codes_left as (
      delete from totp_codes c using ${moves} m where c.app_no = m.app_no and c.user_key = m.former
    )`;
}
