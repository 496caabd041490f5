import { signOnProblems } from '../../src/core/accounts/providers/problems.ts'
import { deactivatedSince } from '../../src/core/kernel/context.ts'
import { mailboxHealth, mailHealth } from '../../src/core/mail/health.ts'
import { nameOf, openStore } from '../../src/storage/index.ts'
import { nodeProblem } from '../node-version.ts'
import { type Finding, finding, mailboxFindings, mailFinding, organizationFinding, signOnFindings } from './finding.ts'

/** Checks a database on a PostgreSQL server. That server's own tools check its pages and its disk. */
export async function inspectShared(db: string): Promise<Finding[]> {
  const node = finding('Node.js', nodeProblem(process.versions.node) === undefined, process.versions.node)
  try {
    const store = await openStore({ file: db })
    try {
      const found = await store.peers!.inspect()
      const mail = await mailHealth(store.db).catch(() => undefined)
      const mailbox = await mailboxHealth(store.db).catch(() => undefined)
      const { synchronous_commit, fsync, encoding, connections, max_connections, database_bytes } = found
      return [
        node,
        finding('database', true, nameOf(db)),
        finding('PostgreSQL', true, found.server_version),
        finding(
          'durable',
          synchronous_commit !== 'off' && fsync === 'on',
          `synchronous_commit ${synchronous_commit}, fsync ${fsync}`,
        ),
        finding('encoding', encoding === 'UTF8', encoding),
        finding(
          'connections',
          connections < max_connections * 0.8,
          `${connections} by chat-server; the server allows ${max_connections}`,
        ),
        organizationFinding((await deactivatedSince(store.db)) ?? null),
        ...signOnFindings(await signOnProblems(store.db)),
        ...(mail ? [mailFinding(mail)] : []),
        ...mailboxFindings(mailbox),
        finding('size', true, `${Math.ceil(database_bytes / 1024)} KiB`),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [node, finding('database', false, (error as Error).message.split('\n', 1)[0]!)]
  }
}
