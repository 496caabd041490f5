import { readFileSync } from 'node:fs'
import pg from 'pg'

/**
 * Reads the processor time of a database server that runs on this machine. Only Linux tells it, by the process of each
 * connection; elsewhere it is NaN.
 */
export interface DatabaseTime {
  /** Returns the microseconds of processor time that the connections of a database have used so far. */
  of(database: string): Promise<number>
  close(): Promise<void>
}

export async function databaseTime(url: string): Promise<DatabaseTime> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  client.on('error', () => {})
  await client.connect()
  /** Also of connections that have ended. */
  const newest = new Map<string, number>()
  return {
    async of(database) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where datname = $1 and backend_type = 'client backend' and application_name <> 'bench'`,
        [database],
      )
      for (const { pid } of rows) newest.set(`${database} ${pid}`, microseconds(pid))
      let sum = 0
      for (const [connection, time] of newest) if (connection.startsWith(`${database} `)) sum += time
      return sum
    },
    close: () => client.end(),
  }
}

function microseconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return Number.NaN
  }
}
