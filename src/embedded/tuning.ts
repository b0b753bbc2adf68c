import { bytesPerMiB, sharedBuffersMb } from '../process/memory.ts';

/** Settings for imports with this much memory, shared with the core. */
export function tuningFor(memoryBytes: number): Readonly<Record<string, string>> {
  const share = (part: number, minMib: number, maxMib: number): string =>
    `${Math.round(Math.min(Math.max(memoryBytes / bytesPerMiB / part, minMib), maxMib))}MB`;
  return {
    shared_buffers: `${sharedBuffersMb(memoryBytes)}MB`,
    effective_cache_size: share(2, 64, 65_536),
    maintenance_work_mem: share(32, 16, 512),
    // An import writes WAL so fast that too little room forces a checkpoint every few seconds.
    max_wal_size: share(4, 1024, 8192),
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
}

/**
 * Settings that no other may override: durable writes, no network port, and no rows or statements in logs, which would hold
 * emails and hashes.
 */
export function fixedSettings(socketDir: string): Readonly<Record<string, string>> {
  return {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    port: '5432',
    // A list separated by commas, hence the quotes.
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
