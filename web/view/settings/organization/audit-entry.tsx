import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import type { Session } from '../../../model/state/session.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { fullTime, longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { actionName, factName, factText, kindName } from './audit-words.ts'

export type AuditEntry = Awaited<ReturnType<Session['client']['listAudit']>>['entries'][number]

/** An entry of the audit log: who did what, and when; and what changed, when it is opened. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const session = useSession()
  const { at, actor_name, address, client, action, outcome, count, before, after } = entry
  const who = actor_name ?? (address === COMMAND_LINE ? pageTexts.audit.commandLine : pageTexts.audit.nobody)
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <li>
      <details>
        <summary>
          <strong>{isolated(who)}</strong>
          <span class={outcome === 'ok' ? undefined : 'problem'}>
            {outcome === 'ok' && actionName(action)}
            {outcome === 'failed' && pageTexts.audit.failed(actionName(action), count)}
            {outcome === 'denied' && pageTexts.audit.denied(actionName(action), count)}
          </span>
          <bdi class="quiet">{subjectOf(session, entry)}</bdi>
          <time class="quiet small" dateTime={new Date(at * 1000).toISOString()}>
            {longAgo(at)}
          </time>
        </summary>
        <table>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{factName(name)}</th>
                <td>
                  {before && name in before && <del>{factText(session, name, before[name])}</del>}{' '}
                  {after && name in after && <ins>{factText(session, name, after[name])}</ins>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="quiet small">
          {fullTime(new Date(at * 1000))}
          {address !== null && address !== COMMAND_LINE && ` · ${address}`}
          {client !== '' && ` · ${client}`}
        </p>
      </details>
    </li>
  )
}

const COMMAND_LINE = 'command line'

function subjectOf(session: Session, { subject_kind, subject_id }: AuditEntry): string {
  if (subject_id === null) return ''
  if (subject_kind === 'user') return nameOf(session, subject_id)
  if (subject_kind === 'channel') {
    const { streams } = session.read('streams')
    const name = streams.find(({ stream_id }) => stream_id === subject_id)?.name
    return name === undefined ? String(subject_id) : `#${name}`
  }
  return `${kindName(subject_kind)} ${subject_id}`
}
