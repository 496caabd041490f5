import { sql } from 'kysely'
import type { Db } from '../handle.ts'
import type { ServerInspection } from '../store.ts'

export async function inspectServer(db: Db): Promise<ServerInspection> {
  const facts = await sql<ServerInspection>`
    select current_setting('server_version') as server_version,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('fsync') as fsync,
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database()) as database_bytes,
      (select count(*) from pg_stat_activity
        where application_name = 'chat-server' and datname = current_database()) as connections,
      current_setting('max_connections')::bigint as max_connections`.execute(db)
  return facts.rows[0]!
}
