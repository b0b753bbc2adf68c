-- Images of users outlive the sealing of TOTP devices, so they have no secrets: in place of devices that were not sealed yet
-- they have {"mark"}, by which own_image knows them again.
create function image_without_secrets(image jsonb) returns jsonb language sql immutable parallel safe
return case when jsonb_typeof(image #> '{details,totp_devices}') = 'array'
  then jsonb_set(
    image, '{details,totp_devices}',
    jsonb_build_object('mark', encode(hash_mark((image #> '{details,totp_devices}')::text), 'hex'))
  )
  else image
end;

-- Of a user who was removed: devices go with the user, and what told of them would be about nothing.
create function image_without_devices(image jsonb) returns jsonb language sql immutable parallel safe
return case when jsonb_typeof(image -> 'details') = 'object'
  then jsonb_set(image, '{details,totp_devices}', 'null') else image
end;

-- Whether devices were not sealed yet, and are not in the image.
create function has_left_devices(image jsonb) returns boolean language sql immutable parallel safe
return coalesce(
  (image #> '{details,totp_devices}') ? 'mark' and not (image #> '{details,totp_devices}') ? 'digest', false
);

update import_before_images set
  before = case when after ? 'removed' then image_without_devices(before) else image_without_secrets(before) end,
  after = image_without_secrets(after)
where jsonb_typeof(before #> '{details,totp_devices}') = 'array'
  or jsonb_typeof(after #> '{details,totp_devices}') = 'array';
