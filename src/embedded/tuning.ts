import { bytesPerMiB, sharedBuffersMb } from '../process/memory.ts';

/**
 * PostgreSQL's settings for imports on a machine with so much memory, shared with the core itself.
 */
export function tuningFor(memoryBytes: number): Readonly<Record<string, string>> {
  const share = (part: number, minMib: number, maxMib: number): string =>
    `${Math.round(Math.min(Math.max(memoryBytes / bytesPerMiB / part, minMib), maxMib))}MB`;
  return {
    shared_buffers: `${sharedBuffersMb(memoryBytes)}MB`,
    effective_cache_size: share(2, 64, 65_536),
    maintenance_work_mem: share(32, 16, 512),
    // An import writes WAL faster than anything else: too little room forces a checkpoint every few seconds.
    max_wal_size: share(4, 1024, 8192),
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
}

/**
 * What the core relies on and no setting may override: a reply means that the write will last, there is no network port,
 * and no rows or statements are logged, since those hold people's addresses and hashes.
 */
export function fixedSettings(socketDir: string): Readonly<Record<string, string>> {
  return {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    port: '5432',
    // A list between commas, hence the quotes.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_error_verbosity: 'terse',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
}
