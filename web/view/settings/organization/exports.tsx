import { nameOf } from '../../../model/reading/people.ts'
import { confirm } from '../../parts/confirm.tsx'
import { attempt, Problem } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { useAnswer } from '../use-answer.ts'

const PUBLIC = 1
const WITH_CONSENT = 2

/** Archives of the organization's data. */
export function Exports() {
  const session = useSession()
  const { client } = session
  const { answer, problem } = useAnswer(() => client.listExports(), 'exports')
  const consents = useAnswer(() => client.listExportConsents(), 'exports')
  const agreeing = consents.answer.value?.export_consents.filter(({ consented }) => consented).length ?? 0
  const present = answer.value?.exports.filter(({ deleted_timestamp }) => deleted_timestamp === null) ?? []
  const remove = (export_id: number) =>
    confirm({
      title: 'Delete this archive?',
      text: 'Nobody can fetch it any more. The data itself stays.',
      action: 'Delete',
      run: () => client.deleteExport({ export_id }),
    })
  return (
    <>
      <p class="quiet">
        An archive has the public streams and their messages, accounts and files. It is made in the background, at most
        five in a week. {agreeing === 1 ? '1 person agrees' : `${agreeing} people agree`} to the export of private data.
      </p>
      <p class="buttons">
        <button type="button" onClick={() => attempt(() => client.startExport({ export_type: PUBLIC }))}>
          Export public data
        </button>
        <button type="button" onClick={() => attempt(() => client.startExport({ export_type: WITH_CONSENT }))}>
          With the private data of those who agree
        </button>
      </p>
      <Problem of={problem} />
      <ul class="settings-list">
        {present.reverse().map(({ id, export_time, export_type, export_url, failed_timestamp, acting_user_id }) => (
          <li key={id}>
            <span class="name">
              {fullTime(new Date(export_time * 1000))}
              <span class="quiet small">
                {export_type === PUBLIC ? 'Public data' : 'With private data'}, by{' '}
                <bdi>{nameOf(session, acting_user_id)}</bdi>
              </span>
            </span>
            {export_url && (
              <a href={export_url} download>
                Download
              </a>
            )}
            {failed_timestamp !== null && <span class="problem">It failed.</span>}
            {export_url === null && failed_timestamp === null && <span class="quiet">In the making …</span>}
            {export_url && (
              <button
                type="button"
                aria-label={`Delete the archive of ${fullTime(new Date(export_time * 1000))}`}
                onClick={() => remove(id)}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      {answer.value && present.length === 0 && <p class="quiet">There are none yet.</p>}
    </>
  )
}
