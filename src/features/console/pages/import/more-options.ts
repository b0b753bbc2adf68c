/** Options of the command that few files need. */

export const texts = [
  ['idPrefix', 'Prefix of ids', 'forum:'],
  ['tenant', 'Tenant', 'public'],
  ['hashAs', 'Hashes are', 'md5(password.salt)'],
  ['encoding', 'Encoding', 'utf-8'],
  ['table', 'Table of a dump', 'users'],
  ['country', 'Country of phone numbers', 'DE'],
  ['rolesFrom', 'Roles are in', 'app_metadata.roles'],
  ['source', 'Name of the source', 'if there are several'],
] as const;

export const choices = [
  [
    'onConflict',
    'Known users who differ',
    [
      ['', 'take what changed at the source'],
      ['theirs', 'take all of the source'],
      ['ours', 'keep what was changed here'],
      ['skip', 'leave them'],
      ['reject', 'reject the record'],
    ],
  ],
  [
    'secondFactor',
    'Users with a second factor',
    [
      ['', 'refuse their sign-in until it is asked for'],
      ['flag', 'let the password alone sign them in'],
      ['drop', 'forget the factor'],
    ],
  ],
  [
    'absent',
    'Users who are missing in the file',
    [
      ['', 'leave them'],
      ['report', 'list them'],
      ['disable', 'restrict their sign-in'],
      ['remove', 'remove them'],
    ],
  ],
  [
    'dates',
    'Dates such as 3/4/2023',
    [
      ['', 'as the others show'],
      ['dmy', 'day first'],
      ['mdy', 'month first'],
    ],
  ],
] as const;

export const flags = [
  ['includeDeleted', 'Import users that the source marks as deleted, as disabled ones'],
  ['showSamples', 'Show emails and ids of samples in full'],
  ['partial', 'Take what is there of an input that is not complete'],
] as const;
